package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The supported order types: Alpaca's without trailing stops. */
enum VenueOrderType {
    @JsonProperty("market")
    MARKET,
    @JsonProperty("limit")
    LIMIT,
    @JsonProperty("stop")
    STOP,
    @JsonProperty("stop_limit")
    STOP_LIMIT;

    boolean hasLimit() {
        return this == LIMIT || this == STOP_LIMIT;
    }

    boolean hasStop() {
        return this == STOP || this == STOP_LIMIT;
    }
}
