package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonProperty;

/** FIX TimeInForce. */
public enum TimeInForce {
    @JsonProperty("day")
    DAY,
    @JsonProperty("gtc")
    GTC,
    @JsonProperty("ioc")
    IOC,
    @JsonProperty("fok")
    FOK
}
