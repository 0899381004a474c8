package dev.berth.host.broker;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a broker asks for. Prints as nothing, so that it can not reach a log by accident. */
public record Credentials(
        @JsonProperty("keyId") String keyId,
        @JsonProperty("secret") String secret) {
    @Override
    public String toString() {
        return "";
    }
}
