package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;

/**
 * The equity of an account over time, from its executions. The book has no quotes of the past, so a
 * position counts at the price of the account's last execution in its symbol.
 */
final class EquityCurve {

    private record TradedFill(VenueOrderTerms terms, Fill fill) {}

    private final Queue<TradedFill> later;
    private final Map<String, BigDecimal> positions = new HashMap<>();
    private final Map<String, BigDecimal> prices = new HashMap<>();
    private BigDecimal cash = VenueAccount.INITIAL_CASH;

    /** @param orders all orders of the account */
    EquityCurve(List<VenueOrder> orders) {
        later = new ArrayDeque<>(orders.stream()
                .flatMap(order -> order.fills().stream().map(fill -> new TradedFill(order.terms(), fill)))
                .sorted(Comparator.comparing(execution -> execution.fill.time()))
                .toList());
    }

    /** The equity just before {@code time}; calls must be in the order of time. */
    BigDecimal before(Instant time) {
        for (var next = later.peek(); next != null && next.fill.time().isBefore(time); next = later.peek()) {
            later.remove();
            apply(next);
        }
        return positions.entrySet().stream()
                .map(held -> held.getValue().multiply(Objects.requireNonNull(prices.get(held.getKey()))))
                .reduce(cash, BigDecimal::add);
    }

    private void apply(TradedFill execution) {
        var side = execution.terms.side();
        var symbol = execution.terms.symbol();
        cash = cash.add(execution.fill.cashChange(side));
        positions.merge(symbol, execution.fill.positionChange(side), BigDecimal::add);
        prices.put(symbol, execution.fill.price());
    }
}
