package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The direction of an order. */
enum Side {
    @JsonProperty("buy")
    BUY,
    @JsonProperty("sell")
    SELL;

    Side opposite() {
        return this == BUY ? SELL : BUY;
    }
}
