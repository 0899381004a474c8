package dev.berth.host.broker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.temporal.codec.HandedKey;
import dev.berth.workflows.broker.AccountKey;
import java.util.List;

/**
 * What was sealed to this process. Prints as nothing.
 *
 * @param payloadKeys of the user; the first encrypts
 */
public record OpenedCredentials(AccountKey account, String keyId, String secret, List<HandedKey> payloadKeys) {
    @JsonIgnore
    public BrokerCredentials credentials() {
        return new BrokerCredentials(keyId, secret);
    }

    @Override
    public String toString() {
        return "";
    }
}
