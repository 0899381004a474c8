package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How streams are authorized. */
enum StreamAuthorization {
    /** By the credentials. */
    @JsonProperty("checked")
    CHECKED,
    /** Always refused. */
    @JsonProperty("refused")
    REFUSED,
    /** Without an answer. */
    @JsonProperty("silent")
    SILENT
}
