package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.account.AccountActivity;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an account. Amounts are decimal strings.
 *
 * @param kind the broker's word, such as FILL or DIV
 * @param quantity of the symbol; negative when it left the account otherwise than by a sale
 * @param amount of cash that came, negative when it left; null for an execution
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ActivityView(
        String activityId,
        String kind,
        Instant at,
        @Nullable String symbol,
        @Nullable String side,
        @Nullable String quantity,
        @Nullable String price,
        @Nullable String amount,
        @Nullable String venueOrderId,
        @Nullable String description) {
    static ActivityView of(AccountActivity activity) {
        return new ActivityView(
                activity.activityId(),
                activity.kind(),
                activity.at(),
                activity.symbol(),
                activity.side(),
                Objects.toString(activity.quantity(), null),
                Objects.toString(activity.price(), null),
                Objects.toString(activity.amount(), null),
                activity.venueOrderId(),
                activity.description());
    }
}
