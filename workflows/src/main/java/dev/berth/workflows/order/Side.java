package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonProperty;

/** FIX Side. */
public enum Side {
    @JsonProperty("buy")
    BUY,
    @JsonProperty("sell")
    SELL
}
