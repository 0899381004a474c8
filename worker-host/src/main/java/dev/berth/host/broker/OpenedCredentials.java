package dev.berth.host.broker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.workflows.broker.AccountKey;

/** What was sealed to this process. Prints as nothing. */
public record OpenedCredentials(AccountKey account, String keyId, String secret) {
    @JsonIgnore
    public BrokerCredentials credentials() {
        return new BrokerCredentials(keyId, secret);
    }

    @Override
    public String toString() {
        return "";
    }
}
