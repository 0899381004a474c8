package dev.berth.workflows.account;

import dev.berth.workflows.broker.AccountKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker read of an account. A part that is null was not read, and stays as it was reported
 * before.
 *
 * @param asOf the venue answered later than this
 * @param positions at most {@link #MAX_POSITIONS}
 * @param orders those that are open, at most {@link #MAX_ORDERS}, newest first
 * @param activities at most {@link #MAX_ACTIVITIES}; one that was reported before changes nothing
 */
public record AccountReport(
        AccountKey account,
        Instant asOf,
        @Nullable AccountBalances balances,
        @Nullable List<AccountPosition> positions,
        @Nullable List<AccountOrder> orders,
        List<AccountActivity> activities) {
    /** An account with more cannot be reported. */
    public static final int MAX_POSITIONS = 1_000;

    /** With these a report has less than the 256 KiB that a gateway takes. */
    public static final int MAX_ORDERS = 400;

    /** As many as Alpaca gives at once. */
    public static final int MAX_ACTIVITIES = 100;

    public AccountReport {
        positions = positions == null ? null : List.copyOf(positions);
        orders = orders == null ? null : List.copyOf(orders);
        activities = List.copyOf(activities);
        if ((positions != null && positions.size() > MAX_POSITIONS)
                || (orders != null && orders.size() > MAX_ORDERS)
                || activities.size() > MAX_ACTIVITIES) {
            throw new IllegalArgumentException("a report has more than it may");
        }
    }

    /** The same, as of that time at the latest. */
    public AccountReport notAfter(Instant time) {
        return asOf.isAfter(time) ? new AccountReport(account, time, balances, positions, orders, activities) : this;
    }
}
