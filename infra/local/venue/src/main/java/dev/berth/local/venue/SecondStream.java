package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a stream of an account that has one. */
enum SecondStream {
    @JsonProperty("refused")
    REFUSED,
    /** It is served, and the first one is cut. */
    @JsonProperty("cutsFirst")
    CUTS_FIRST,
    @JsonProperty("allowed")
    ALLOWED
}
