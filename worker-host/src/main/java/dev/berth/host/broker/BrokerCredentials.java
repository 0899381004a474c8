package dev.berth.host.broker;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.regex.Pattern;

/** Credentials of one account. Prints as nothing, so that no log shows them. */
public record BrokerCredentials(
        @JsonProperty("keyId") String keyId,
        @JsonProperty("secret") String secret) {
    /** Valid in HTTP headers: the JDK's client would quote others in its exception. */
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,512}");

    public BrokerCredentials {
        if (!FORM.matcher(keyId).matches() || !FORM.matcher(secret).matches()) {
            throw new IllegalArgumentException("keyId and secret are printable ASCII characters without spaces.");
        }
    }

    @Override
    public String toString() {
        return "";
    }
}
