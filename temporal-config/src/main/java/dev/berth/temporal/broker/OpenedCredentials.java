package dev.berth.temporal.broker;

import dev.berth.workflows.broker.AccountKey;

/** What is sealed to a process, in clear. Prints as nothing. */
public record OpenedCredentials(AccountKey account, String keyId, String secret) {
    @Override
    public String toString() {
        return "";
    }
}
