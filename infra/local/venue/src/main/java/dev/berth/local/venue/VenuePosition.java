package dev.berth.local.venue;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The position of an account in one symbol.
 *
 * @param qty shares; negative when short
 * @param averageEntry US dollars a share, never negative
 */
record VenuePosition(String symbol, BigDecimal qty, BigDecimal averageEntry) {

    private static final int AVERAGE_DECIMALS = 9;

    static VenuePosition none(String symbol) {
        return new VenuePosition(symbol, BigDecimal.ZERO, BigDecimal.ZERO);
    }

    /** This position after a trade of {@code signedQty} shares (negative for a sell). */
    VenuePosition traded(BigDecimal signedQty, BigDecimal price) {
        var after = qty.add(signedQty);
        if (after.signum() == 0) {
            return none(symbol);
        }
        if (qty.signum() * after.signum() <= 0) {
            return new VenuePosition(symbol, after, price);
        }
        boolean grows = qty.signum() == signedQty.signum();
        return new VenuePosition(symbol, after, grows ? blended(signedQty, price, after) : averageEntry);
    }

    private BigDecimal blended(BigDecimal signedQty, BigDecimal price, BigDecimal after) {
        var cost = qty.multiply(averageEntry).add(signedQty.multiply(price));
        return cost.divide(after, AVERAGE_DECIMALS, RoundingMode.HALF_UP);
    }

    VenueSide closingSide() {
        return qty.signum() > 0 ? VenueSide.SELL : VenueSide.BUY;
    }

    /** Whether an order of this side makes the position smaller. */
    boolean isClosedBy(VenueSide side) {
        return qty.signum() != 0 && side == closingSide();
    }

    /** What may still be closed, apart from {@code held}; never negative. */
    BigDecimal available(BigDecimal held) {
        return qty.abs().subtract(held).max(BigDecimal.ZERO);
    }

    BigDecimal cost() {
        return qty.multiply(averageEntry);
    }
}
