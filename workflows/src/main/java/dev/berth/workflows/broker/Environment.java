package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether an account trades with real money. */
public enum Environment {
    @JsonProperty("paper")
    PAPER,
    @JsonProperty("live")
    LIVE
}
