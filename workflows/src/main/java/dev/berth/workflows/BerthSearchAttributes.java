package dev.berth.workflows;

import io.temporal.common.SearchAttributeKey;
import java.util.List;

/** The search attributes of namespace {@code berth}. They are not encrypted, so they hold nothing private. */
public final class BerthSearchAttributes {
    public static final SearchAttributeKey<String> USER_ID = SearchAttributeKey.forKeyword("BerthUserId");
    public static final SearchAttributeKey<String> ORDER_STATUS = SearchAttributeKey.forKeyword("BerthOrderStatus");
    public static final SearchAttributeKey<String> WORKER_STATE = SearchAttributeKey.forKeyword("BerthWorkerState");
    public static final SearchAttributeKey<String> SYMBOL = SearchAttributeKey.forKeyword("BerthSymbol");
    public static final SearchAttributeKey<String> BROKER = SearchAttributeKey.forKeyword("BerthBroker");
    public static final SearchAttributeKey<Boolean> ATTENTION = SearchAttributeKey.forBoolean("BerthAttention");

    /** All of them, for start-up checks and tests. */
    public static final List<SearchAttributeKey<?>> ALL =
            List.of(USER_ID, ORDER_STATUS, WORKER_STATE, SYMBOL, BROKER, ATTENTION);

    private BerthSearchAttributes() {}
}
