package dev.berth.workflows;

import io.temporal.common.SearchAttributeKey;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * The search attributes of namespace {@code berth}. They are not encrypted, so they hold nothing
 * private.
 */
public final class BerthSearchAttributes {
    public static final SearchAttributeKey<String> USER_ID = SearchAttributeKey.forKeyword("BerthUserId");
    public static final SearchAttributeKey<String> ORDER_STATUS = SearchAttributeKey.forKeyword("BerthOrderStatus");
    public static final SearchAttributeKey<String> WORKER_STATE = SearchAttributeKey.forKeyword("BerthWorkerState");
    /**
     * When the worker came into its state; absent until it first leaves that of a new lifecycle.
     */
    public static final SearchAttributeKey<OffsetDateTime> WORKER_STATE_SINCE =
            SearchAttributeKey.forOffsetDateTime("BerthWorkerStateSince");

    public static final SearchAttributeKey<Boolean> ATTENTION = SearchAttributeKey.forBoolean("BerthAttention");

    /** All of them, for start-up checks and tests. */
    public static final List<SearchAttributeKey<?>> ALL =
            List.of(USER_ID, ORDER_STATUS, WORKER_STATE, WORKER_STATE_SINCE, ATTENTION);

    private BerthSearchAttributes() {}
}
