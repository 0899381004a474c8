package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How long an order stands. The venue never closes, so {@code day} stands as long as {@code gtc}. */
enum TimeInForce {
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

    /** Whether what can not trade at once is canceled. */
    boolean immediate() {
        return this == IOC || this == FOK;
    }

    /** Whether the order waits for an opening or closing auction, which this venue never holds. */
    boolean auction() {
        return this == OPG || this == CLS;
    }
}
