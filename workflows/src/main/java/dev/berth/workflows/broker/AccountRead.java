package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What an adapter can read of an account. */
public enum AccountRead {
    @JsonProperty("balances")
    BALANCES,
    @JsonProperty("positions")
    POSITIONS,
    @JsonProperty("orders")
    ORDERS,
    @JsonProperty("activities")
    ACTIVITIES;

    /** The word for users. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
