package dev.berth.local.venue;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Which orders a crypto pair takes. Each refusal is a {@link VenueRefusal}. */
final class CryptoRules {

    private CryptoRules() {}

    static void require(VenueOrderTerms terms, CryptoIncrements increments) {
        if (terms.type() == VenueOrderType.STOP) {
            throw VenueRefusal.invalid("invalid order type for crypto order");
        }
        if (terms.timeInForce() != VenueTimeInForce.GTC && terms.timeInForce() != VenueTimeInForce.IOC) {
            throw VenueRefusal.notPossible("invalid crypto time_in_force");
        }
        if (terms.qty().compareTo(increments.minOrderSize()) < 0) {
            throw VenueRefusal.orderTooSmall(increments.minOrderSize());
        }
        requireIncrement("qty", terms.qty(), increments.minTradeIncrement());
        requireIncrement("limit_price", terms.limitPrice(), increments.priceIncrement());
        requireIncrement("stop_price", terms.stopPrice(), increments.priceIncrement());
    }

    private static void requireIncrement(String name, @Nullable BigDecimal value, BigDecimal increment) {
        if (value != null && value.remainder(increment).signum() != 0) {
            throw VenueRefusal.notPossible("invalid " + name + " " + VenueJson.plain(value)
                    + ". it must be a multiple of " + VenueJson.plain(increment));
        }
    }
}
