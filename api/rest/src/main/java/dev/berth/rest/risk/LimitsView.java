package dev.berth.rest.risk;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.risk.RiskLimits;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an account. An absent limit does not apply.
 *
 * @param changedBy absent before the first change
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LimitsView(
        UserId userId,
        AccountKey account,
        @Nullable String maxQuantity,
        @Nullable String maxNotional,
        @Nullable String priceCollar,
        @Nullable Integer ordersPerSecond,
        @Nullable String changedBy,
        @Nullable Instant changedAt) {

    static LimitsView of(AccountLimits stored) {
        return of(stored.userId(), stored.account(), stored.limits(), stored.by(), stored.at());
    }

    static LimitsView none(UserId userId, AccountKey account) {
        return of(userId, account, RiskLimits.NONE, null, null);
    }

    private static LimitsView of(
            UserId userId, AccountKey account, RiskLimits limits, @Nullable String by, @Nullable Instant at) {
        return new LimitsView(
                userId,
                account,
                text(limits.maxQuantity()),
                text(limits.maxNotional()),
                text(limits.priceCollar()),
                limits.ordersPerSecond(),
                by,
                at);
    }

    private static @Nullable String text(@Nullable Object decimal) {
        return decimal == null ? null : decimal.toString();
    }
}
