package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How long an order stays open. */
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

    /** Whether the order may rest from one quote to the next. */
    boolean lasting() {
        return this == DAY || this == GTC;
    }

    /** Whether the order waits for the opening or the closing auction. */
    boolean auction() {
        return this == OPG || this == CLS;
    }
}
