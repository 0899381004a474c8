package dev.berth.local.venue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Alpaca's crypto fees of the first tier, rounded to 9 decimals. They are taken from what the order
 * receives: base currency for a buy, US dollars for a sell. Shares have none.
 */
final class CryptoFees {

    /** Of a limit order that rested. */
    private static final BigDecimal MAKER = new BigDecimal("0.0015");

    private static final BigDecimal TAKER = new BigDecimal("0.0025");
    private static final int DECIMALS = 9;

    private CryptoFees() {}

    /** @param resting whether the order was in the book before the quote reached it */
    static @Nullable BigDecimal of(VenueOrderTerms terms, BigDecimal qty, BigDecimal price, boolean resting) {
        if (Asset.require(terms.symbol()).assetClass() != VenueAssetClass.CRYPTO) {
            return null;
        }
        var received = terms.side() == VenueSide.BUY ? qty : qty.multiply(price);
        var rate = resting && terms.type().hasLimit() ? MAKER : TAKER;
        return received.multiply(rate).setScale(DECIMALS, RoundingMode.HALF_UP);
    }

    /** The fee of an execution whose price is corrected. */
    static @Nullable BigDecimal corrected(VenueSide side, Fill before, BigDecimal price) {
        if (before.fee() == null || side == VenueSide.BUY) {
            return before.fee();
        }
        return before.fee().multiply(price).divide(before.price(), DECIMALS, RoundingMode.HALF_UP);
    }
}
