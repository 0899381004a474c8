package dev.berth.workflows.risk;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Side;
import java.time.Duration;
import java.time.Instant;

/**
 * The best prices of a symbol.
 *
 * @param at when the broker was asked for them, by Redis's clock, as is the time that it is
 *     compared with
 */
public record Quote(Decimal bid, Decimal ask, Instant at) {
    /** Quotes are polled every second; after ten seconds without an answer the price is unknown. */
    public static final Duration FRESH = Duration.ofSeconds(10);

    public Quote {
        if (!bid.isPositive() || !ask.isPositive()) {
            throw new IllegalArgumentException("bid and ask must be greater than 0.");
        }
    }

    boolean isFresh(Instant now) {
        return at.plus(FRESH).isAfter(now);
    }

    /** The price at which an order of this side trades at once. */
    Decimal farSide(Side side) {
        return side == Side.BUY ? ask : bid;
    }
}
