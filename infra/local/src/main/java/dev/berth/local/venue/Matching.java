package dev.berth.local.venue;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The rules by which an open order meets a quote. Pure: no clock, no state. */
final class Matching {

    /** What an open order does next at a quote. */
    sealed interface Step {
        /** It stays as it is. */
        record Rest() implements Step {}

        /** Its stop price is reached. */
        record Trigger() implements Step {}

        record Trade(BigDecimal qty, BigDecimal price) implements Step {}

        /** It had to trade at once and can not. */
        record Cancel() implements Step {}
    }

    private Matching() {}

    static Step next(Order order, Quote quote) {
        var terms = order.terms();
        if (terms.timeInForce().auction()) {
            return new Step.Rest();
        }
        var price = quote.price(terms.side());
        if (!order.triggered()) {
            return reaches(terms, price) ? new Step.Trigger() : unable(order);
        }
        var qty = tradable(order, quote.size(terms.side()));
        if (qty.signum() == 0 || !withinLimit(terms, price)) {
            return unable(order);
        }
        return new Step.Trade(qty, price);
    }

    private static Step unable(Order order) {
        return order.terms().timeInForce().immediate() ? new Step.Cancel() : new Step.Rest();
    }

    /** A buy stop is reached from below, a sell stop from above. */
    private static boolean reaches(OrderTerms terms, BigDecimal price) {
        var stop = terms.stopPrice();
        return stop == null || isAtOrAbove(terms.side(), price, stop);
    }

    /** A buy trades at its limit or below, a sell at its limit or above. */
    private static boolean withinLimit(OrderTerms terms, BigDecimal price) {
        var limit = terms.limitPrice();
        return limit == null || isAtOrAbove(terms.side(), limit, price);
    }

    private static boolean isAtOrAbove(Side side, BigDecimal price, BigDecimal bound) {
        int order = price.compareTo(bound);
        return side == Side.BUY ? order >= 0 : order <= 0;
    }

    private static BigDecimal tradable(Order order, @Nullable BigDecimal size) {
        var remaining = order.remainingQty();
        if (size == null || size.compareTo(remaining) >= 0) {
            return remaining;
        }
        return order.terms().timeInForce() == TimeInForce.FOK ? BigDecimal.ZERO : size;
    }
}
