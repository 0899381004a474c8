package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Alpaca's order statuses. The last five are final. */
enum VenueOrderStatus {
    /** Waiting for an auction, or for a session in which it trades. */
    @JsonProperty("accepted")
    ACCEPTED,
    @JsonProperty("new")
    NEW,
    @JsonProperty("partially_filled")
    PARTIALLY_FILLED,
    @JsonProperty("filled")
    FILLED,
    @JsonProperty("canceled")
    CANCELED,
    @JsonProperty("replaced")
    REPLACED,
    @JsonProperty("rejected")
    REJECTED,
    @JsonProperty("expired")
    EXPIRED;

    boolean open() {
        return this == ACCEPTED || this == NEW || this == PARTIALLY_FILLED;
    }
}
