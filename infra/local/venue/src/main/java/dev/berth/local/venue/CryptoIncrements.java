package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;

/**
 * The steps in which a crypto pair trades.
 *
 * @param minOrderSize of the base currency
 * @param minTradeIncrement of the base currency
 * @param priceIncrement of the quote currency
 */
record CryptoIncrements(
        @JsonProperty("min_order_size") BigDecimal minOrderSize,
        @JsonProperty("min_trade_increment") BigDecimal minTradeIncrement,
        @JsonProperty("price_increment") BigDecimal priceIncrement) {

    /** Size and price as in Alpaca's documentation; quantities have the 9 decimals of its API. */
    static final CryptoIncrements BTC =
            new CryptoIncrements(new BigDecimal("0.0001"), new BigDecimal("0.000000001"), BigDecimal.ONE);
}
