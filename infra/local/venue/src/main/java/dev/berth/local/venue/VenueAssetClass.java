package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What kind of asset it is. */
enum VenueAssetClass {
    @JsonProperty("us_equity")
    US_EQUITY,
    @JsonProperty("crypto")
    CRYPTO
}
