package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What kind of asset it is. */
enum AssetClass {
    @JsonProperty("us_equity")
    US_EQUITY,
    @JsonProperty("crypto")
    CRYPTO
}
