package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The best prices of a symbol, in US dollars a share, and the number of shares that may still trade
 * at them; no size means no limit. An {@link IllegalArgumentException} if a price is not positive,
 * bid is above ask, or a size is negative.
 */
record VenueQuote(
        BigDecimal bid,
        BigDecimal ask,
        @JsonProperty("bidSize") @Nullable BigDecimal bidSize,
        @JsonProperty("askSize") @Nullable BigDecimal askSize) {

    /** Without limited sizes. */
    static VenueQuote of(String bid, String ask) {
        return new VenueQuote(new BigDecimal(bid), new BigDecimal(ask), null, null);
    }

    VenueQuote {
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
    BigDecimal price(VenueSide side) {
        return side == VenueSide.BUY ? ask : bid;
    }

    /** The shares that an order of this side may still take; null for any number. */
    @Nullable
    BigDecimal size(VenueSide side) {
        return side == VenueSide.BUY ? askSize : bidSize;
    }

    /** This quote after an order of {@code side} took {@code qty} shares. */
    VenueQuote taken(VenueSide side, BigDecimal qty) {
        return side == VenueSide.BUY
                ? new VenueQuote(bid, ask, bidSize, less(askSize, qty))
                : new VenueQuote(bid, ask, less(bidSize, qty), askSize);
    }

    private static @Nullable BigDecimal less(@Nullable BigDecimal size, BigDecimal qty) {
        return size == null ? null : size.subtract(qty);
    }
}
