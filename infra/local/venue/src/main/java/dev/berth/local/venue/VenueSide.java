package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The direction of an order. */
enum VenueSide {
    @JsonProperty("buy")
    BUY,
    @JsonProperty("sell")
    SELL
}
