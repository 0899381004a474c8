package dev.berth.rest.account;

import dev.berth.temporal.client.Page;
import dev.berth.workflows.account.AccountActivity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of what happened to an account, newest first.
 *
 * @param asOf the broker answered later than this
 */
record ActivitiesView(
        Instant asOf, List<ActivityView> items, @Nullable String nextCursor) {
    static ActivitiesView of(Instant asOf, Page<AccountActivity> page) {
        return new ActivitiesView(
                asOf, page.items().stream().map(ActivityView::of).toList(), page.nextCursor());
    }
}
