package dev.berth.local.venue;

import io.javalin.http.Context;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * How much of a position to close: {@code qty}, or {@code percentage} of it, or all. Both together
 * are a {@link VenueRefusal}, and so are values out of range.
 */
record ClosingQty(@Nullable BigDecimal qty, @Nullable BigDecimal percentage) {

    static final ClosingQty ALL = new ClosingQty(null, null);

    private static final BigDecimal HUNDRED = new BigDecimal(100);
    /** Alpaca's limit. */
    private static final int DECIMALS = 9;

    ClosingQty {
        if (qty != null && percentage != null) {
            throw VenueRefusal.invalid("only one of qty and percentage may be given");
        }
        if (qty != null && qty.signum() <= 0) {
            throw VenueRefusal.invalid("qty must be > 0");
        }
        if (percentage != null && (percentage.signum() <= 0 || percentage.compareTo(HUNDRED) > 0)) {
            throw VenueRefusal.invalid("percentage must be between 0 and 100");
        }
    }

    /** From the query. */
    static ClosingQty of(Context ctx) {
        return new ClosingQty(QueryParams.decimal(ctx, "qty"), QueryParams.decimal(ctx, "percentage"));
    }

    /** A percentage of whole shares is rounded down to whole shares. */
    BigDecimal of(VenuePosition position) {
        var held = position.qty().abs();
        if (percentage == null) {
            return qty == null ? held : qty;
        }
        boolean whole = held.stripTrailingZeros().scale() <= 0;
        return held.multiply(percentage).divide(HUNDRED, whole ? 0 : DECIMALS, RoundingMode.DOWN);
    }
}
