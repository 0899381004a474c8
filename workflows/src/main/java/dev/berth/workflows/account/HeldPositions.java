package dev.berth.workflows.account;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Positions of an account, and the open orders that would make them smaller. The orders were listed
 * before the positions: one that was filled in between is counted in both, and none in neither.
 *
 * @param complete false when the account has more open orders than a report holds
 */
public record HeldPositions(List<AccountPosition> positions, List<AccountOrder> orders, boolean complete) {
    public HeldPositions {
        positions = List.copyOf(positions);
        orders = List.copyOf(orders);
    }

    /**
     * What matters for a close.
     *
     * @param symbol of the only position; null for all
     */
    public static HeldPositions of(AccountReport report, @Nullable String symbol) {
        List<AccountPosition> positions = Objects.requireNonNull(report.positions()).stream()
                .filter(position -> symbol == null || isSame(position.symbol(), symbol))
                .filter(position -> position.quantity().value().signum() != 0)
                .toList();
        List<AccountOrder> all = Objects.requireNonNull(report.orders());
        return new HeldPositions(
                positions,
                all.stream()
                        .filter(order -> positions.stream().anyMatch(position -> closes(order, position)))
                        .toList(),
                all.size() < AccountReport.MAX_ORDERS);
    }

    /** Those that hold the position's shares until they are canceled. */
    public List<AccountOrder> exits(AccountPosition position) {
        return closing(position).stream().filter(HeldPositions::isExit).toList();
    }

    /** Those that are being executed. */
    public List<AccountOrder> inFlight(AccountPosition position) {
        return closing(position).stream().filter(order -> !isExit(order)).toList();
    }

    private List<AccountOrder> closing(AccountPosition position) {
        return orders.stream().filter(order -> closes(order, position)).toList();
    }

    /** A market order by amount is canceled, too: nothing tells how many shares it takes. */
    private static boolean isExit(AccountOrder order) {
        return !order.type().equals("market") || order.quantity() == null;
    }

    /** Venues have words such as {@code sell_short}, too. */
    private static boolean closes(AccountOrder order, AccountPosition position) {
        boolean isBuy = order.side().startsWith("buy");
        boolean isLong = position.quantity().value().signum() > 0;
        return isBuy != isLong && isSame(order.symbol(), position.symbol());
    }

    /** Whether it is the same symbol: some brokers write BTCUSD here and BTC/USD there. */
    public static boolean isSame(String symbol, String other) {
        return symbol.replace("/", "").equals(other.replace("/", ""));
    }
}
