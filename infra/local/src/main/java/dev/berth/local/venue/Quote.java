package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The best prices of a symbol, in US dollars a share, and how many shares may still trade at them;
 * no size means no bound. An {@link IllegalArgumentException} if a price is not positive, bid is
 * above ask, or a size is negative.
 */
record Quote(
        BigDecimal bid,
        BigDecimal ask,
        @JsonProperty("bidSize") @Nullable BigDecimal bidSize,
        @JsonProperty("askSize") @Nullable BigDecimal askSize) {

    /** Where every symbol stands until a quote is set. */
    static final Quote INITIAL = new Quote(new BigDecimal("99.99"), new BigDecimal("100.01"), null, null);

    Quote {
        if (bid.signum() <= 0 || ask.signum() <= 0) {
            throw new IllegalArgumentException("bid and ask must be > 0");
        }
        if (bid.compareTo(ask) > 0) {
            throw new IllegalArgumentException("bid must not be above ask");
        }
        if (isNegative(bidSize) || isNegative(askSize)) {
            throw new IllegalArgumentException("bidSize and askSize must not be negative");
        }
    }

    private static boolean isNegative(@Nullable BigDecimal size) {
        return size != null && size.signum() < 0;
    }

    /** The price at which an order of this side trades. */
    BigDecimal price(Side side) {
        return side == Side.BUY ? ask : bid;
    }

    /** The shares that an order of this side may still take, or null for any number. */
    @Nullable
    BigDecimal size(Side side) {
        return side == Side.BUY ? askSize : bidSize;
    }

    /** This quote after an order of {@code side} took {@code qty} shares. */
    Quote taken(Side side, BigDecimal qty) {
        return side == Side.BUY
                ? new Quote(bid, ask, bidSize, less(askSize, qty))
                : new Quote(bid, ask, less(bidSize, qty), askSize);
    }

    private static @Nullable BigDecimal less(@Nullable BigDecimal size, BigDecimal qty) {
        return size == null ? null : size.subtract(qty);
    }
}
