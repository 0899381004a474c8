package dev.berth.local.venue;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The rules by which an open order meets a quote. Pure: no clock, no state. */
final class Matching {

    /** The next step of an open order at a quote. */
    sealed interface MatchOutcome {
        /** The order rests unchanged. */
        record Resting() implements MatchOutcome {}

        /** The quote reached the stop price. */
        record Triggered() implements MatchOutcome {}

        record Executed(BigDecimal qty, BigDecimal price) implements MatchOutcome {}

        /** The order had to trade at once and cannot. */
        record Canceled() implements MatchOutcome {}
    }

    private Matching() {}

    static MatchOutcome next(VenueOrder order, VenueQuote quote, VenueSession session) {
        var terms = order.terms();
        if (!session.trades(terms)) {
            return restOrCancel(order);
        }
        var price = quote.price(terms.side());
        if (!order.triggered()) {
            return reaches(terms, price) ? new MatchOutcome.Triggered() : restOrCancel(order);
        }
        var qty = tradable(order, quote.size(terms.side()));
        if (qty.signum() == 0 || !withinLimit(terms, price)) {
            return restOrCancel(order);
        }
        return new MatchOutcome.Executed(qty, price);
    }

    /** The next step of an order for this auction, in which nothing rests. */
    static MatchOutcome inAuction(VenueOrder order, VenueQuote quote) {
        var terms = order.terms();
        var price = quote.price(terms.side());
        var qty = tradable(order, quote.size(terms.side()));
        return qty.signum() > 0 && withinLimit(terms, price)
                ? new MatchOutcome.Executed(qty, price)
                : new MatchOutcome.Canceled();
    }

    private static MatchOutcome restOrCancel(VenueOrder order) {
        return order.terms().timeInForce().immediate() ? new MatchOutcome.Canceled() : new MatchOutcome.Resting();
    }

    /** A buy stop is reached from below, a sell stop from above. */
    private static boolean reaches(VenueOrderTerms terms, BigDecimal price) {
        var stop = terms.stopPrice();
        return stop == null || isAtOrAbove(terms.side(), price, stop);
    }

    /** A buy trades at its limit or below, a sell at its limit or above. */
    private static boolean withinLimit(VenueOrderTerms terms, BigDecimal price) {
        var limit = terms.limitPrice();
        return limit == null || isAtOrAbove(terms.side(), limit, price);
    }

    private static boolean isAtOrAbove(VenueSide side, BigDecimal price, BigDecimal bound) {
        int order = price.compareTo(bound);
        return side == VenueSide.BUY ? order >= 0 : order <= 0;
    }

    private static BigDecimal tradable(VenueOrder order, @Nullable BigDecimal size) {
        var remaining = order.remainingQty();
        if (size == null || size.compareTo(remaining) >= 0) {
            return remaining;
        }
        return order.terms().timeInForce() == VenueTimeInForce.FOK ? BigDecimal.ZERO : size;
    }
}
