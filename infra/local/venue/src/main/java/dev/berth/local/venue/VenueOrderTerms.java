package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The terms of an order: {@code qty} in shares, prices in US dollars. {@code limitPrice} is set
 * exactly for types with a limit, {@code stopPrice} exactly for types with a stop. Invalid terms
 * are a {@link VenueRefusal}.
 *
 * @param extendedHours whether it also trades before the opening and after the close
 */
record VenueOrderTerms(
        @JsonProperty("client_order_id") String clientOrderId,
        String symbol,
        VenueSide side,
        VenueOrderType type,
        @JsonProperty("time_in_force") VenueTimeInForce timeInForce,
        BigDecimal qty,
        @JsonProperty("limit_price") @Nullable BigDecimal limitPrice,
        @JsonProperty("stop_price") @Nullable BigDecimal stopPrice,
        @JsonProperty("extended_hours") boolean extendedHours) {

    /** Alpaca's limit. */
    private static final int LONGEST_CLIENT_ORDER_ID = 128;
    /** Alpaca's limit. */
    private static final int QTY_DECIMALS = 9;

    VenueOrderTerms {
        if (clientOrderId.length() > LONGEST_CLIENT_ORDER_ID) {
            throw VenueRefusal.invalid("client_order_id must be no more than 128 characters");
        }
        if (qty.signum() <= 0) {
            throw VenueRefusal.invalid("qty must be > 0");
        }
        if (qty.stripTrailingZeros().scale() > QTY_DECIMALS) {
            throw VenueRefusal.invalid("qty must be limited to 9 decimal places");
        }
        requirePrice("limit", type, type.hasLimit(), limitPrice);
        requirePrice("stop", type, type.hasStop(), stopPrice);
        if (extendedHours && (type != VenueOrderType.LIMIT || !timeInForce.lasting())) {
            throw VenueRefusal.notPossible("extended hours order must be DAY or GTC limit orders");
        }
    }

    private static void requirePrice(String name, VenueOrderType type, boolean wanted, @Nullable BigDecimal price) {
        String orders = VenueJson.word(type) + " orders";
        if (wanted && price == null) {
            throw VenueRefusal.invalid(orders + " require a " + name + " price");
        }
        if (!wanted && price != null) {
            throw VenueRefusal.invalid(orders + " must not have a " + name + " price");
        }
        if (price != null && price.signum() <= 0) {
            throw VenueRefusal.invalid(name + "_price must be > 0");
        }
    }
}
