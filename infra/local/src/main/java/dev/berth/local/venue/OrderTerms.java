package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for: {@code qty} in shares, prices in US dollars. A {@code limitPrice} is there
 * exactly when the type has a limit, a {@code stopPrice} exactly when it has a stop.
 * Terms that the venue would not take are a {@link Refusal}.
 */
record OrderTerms(
        @JsonProperty("client_order_id") String clientOrderId,
        String symbol,
        Side side,
        OrderType type,
        @JsonProperty("time_in_force") TimeInForce timeInForce,
        BigDecimal qty,
        @JsonProperty("limit_price") @Nullable BigDecimal limitPrice,
        @JsonProperty("stop_price") @Nullable BigDecimal stopPrice) {

    /** Alpaca's bound on the length of a client order id. */
    private static final int LONGEST_CLIENT_ORDER_ID = 128;
    /** Alpaca's bound on the decimals of a quantity. */
    private static final int QTY_DECIMALS = 9;

    OrderTerms {
        if (clientOrderId.length() > LONGEST_CLIENT_ORDER_ID) {
            throw Refusal.invalid("client_order_id must be no more than 128 characters");
        }
        if (qty.signum() <= 0) {
            throw Refusal.invalid("qty must be > 0");
        }
        if (qty.stripTrailingZeros().scale() > QTY_DECIMALS) {
            throw Refusal.invalid("qty must be limited to 9 decimal places");
        }
        requirePrice("limit", type, type.hasLimit(), limitPrice);
        requirePrice("stop", type, type.hasStop(), stopPrice);
    }

    private static void requirePrice(String name, OrderType type, boolean wanted, @Nullable BigDecimal price) {
        String orders = Json.word(type) + " orders";
        if (wanted && price == null) {
            throw Refusal.invalid(orders + " require a " + name + " price");
        }
        if (!wanted && price != null) {
            throw Refusal.invalid(orders + " must not have a " + name + " price");
        }
        if (price != null && price.signum() <= 0) {
            throw Refusal.invalid(name + "_price must be > 0");
        }
    }
}
