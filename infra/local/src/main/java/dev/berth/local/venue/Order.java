package dev.berth.local.venue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An order as it stands. Immutable: each change is a new value, so that readers need no lock.
 *
 * @param account key id of the account that sent it
 * @param triggered whether the quote has reached the stop price; true for orders without one
 * @param endedAt when it reached a final status
 */
record Order(
        UUID id,
        String account,
        OrderTerms terms,
        Instant createdAt,
        OrderStatus status,
        boolean triggered,
        List<Fill> fills,
        Instant updatedAt,
        @Nullable Instant endedAt,
        @Nullable UUID replaces,
        @Nullable UUID replacedBy) {

    private static final int AVERAGE_DECIMALS = 9;

    /**
     * A new order. One that replaces another starts without fills, as Alpaca's do: its quantity is
     * what it may still trade (github.com/alpacahq/Alpaca-API issue 165).
     */
    static Order accepted(UUID id, String account, OrderTerms terms, Instant time, @Nullable Order replaced) {
        boolean alreadyTriggered =
                replaced != null && replaced.triggered && same(replaced.terms.stopPrice(), terms.stopPrice());
        return new Order(
                id,
                account,
                terms,
                time,
                terms.timeInForce().auction() ? OrderStatus.ACCEPTED : OrderStatus.NEW,
                !terms.type().hasStop() || alreadyTriggered,
                List.of(),
                time,
                null,
                replaced == null ? null : replaced.id,
                null);
    }

    private static boolean same(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        return one == null ? other == null : other != null && one.compareTo(other) == 0;
    }

    BigDecimal filledQty() {
        return fills.stream().map(Fill::qty).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    BigDecimal remainingQty() {
        return terms.qty().subtract(filledQty());
    }

    /** US dollars a share, rounded to 9 decimals; null before the first fill. */
    @Nullable
    BigDecimal averagePrice() {
        if (fills.isEmpty()) {
            return null;
        }
        var cost = fills.stream().map(f -> f.qty().multiply(f.price())).reduce(BigDecimal.ZERO, BigDecimal::add);
        return cost.divide(filledQty(), AVERAGE_DECIMALS, RoundingMode.HALF_UP);
    }

    Order triggeredAt(Instant time) {
        return changed(status, true, fills, time, null);
    }

    Order filled(Fill fill) {
        var all = Stream.concat(fills.stream(), Stream.of(fill)).toList();
        boolean whole = fill.qty().compareTo(remainingQty()) == 0;
        var next = whole ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED;
        return changed(next, triggered, all, fill.time(), null);
    }

    /** It is over, and stays as it ended. */
    Order filledLate(Fill fill) {
        var all = Stream.concat(fills.stream(), Stream.of(fill)).toList();
        return new Order(
                id, account, terms, createdAt, status, triggered, all, fill.time(), endedAt, replaces, replacedBy);
    }

    /** Without an execution that was taken back; one that is over stays over. */
    Order busted(UUID executionId, Instant time) {
        var left = fills.stream()
                .filter(fill -> !fill.executionId().equals(executionId))
                .toList();
        var next = status == OrderStatus.PARTIALLY_FILLED && left.isEmpty() ? OrderStatus.NEW : status;
        return new Order(id, account, terms, createdAt, next, triggered, left, time, endedAt, replaces, replacedBy);
    }

    Order ended(OrderStatus end, Instant time) {
        return changed(end, triggered, fills, time, null);
    }

    Order replacedBy(UUID successor, Instant time) {
        return changed(OrderStatus.REPLACED, triggered, fills, time, successor);
    }

    private Order changed(
            OrderStatus next, boolean nowTriggered, List<Fill> all, Instant time, @Nullable UUID successor) {
        var ended = next.open() ? null : time;
        return new Order(id, account, terms, createdAt, next, nowTriggered, all, time, ended, replaces, successor);
    }
}
