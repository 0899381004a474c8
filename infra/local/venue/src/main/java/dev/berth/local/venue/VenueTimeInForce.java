package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How long an order stays open. The venue never closes, so {@code day} is like {@code gtc}. */
enum VenueTimeInForce {
    @JsonProperty("day")
    DAY,
    @JsonProperty("gtc")
    GTC,
    @JsonProperty("ioc")
    IOC,
    @JsonProperty("fok")
    FOK,
    @JsonProperty("opg")
    OPG,
    @JsonProperty("cls")
    CLS;

    /** Whether the unfilled quantity is canceled at once. */
    boolean immediate() {
        return this == IOC || this == FOK;
    }

    /** Whether the order waits for an opening or closing auction, which this venue never holds. */
    boolean auction() {
        return this == OPG || this == CLS;
    }
}
