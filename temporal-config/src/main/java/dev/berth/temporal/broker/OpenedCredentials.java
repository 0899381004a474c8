package dev.berth.temporal.broker;

import dev.berth.workflows.broker.AccountKey;
import java.util.Map;

/**
 * What is sealed to a process, in clear. Prints as nothing.
 *
 * @param fields of the credentials, by name
 */
public record OpenedCredentials(AccountKey account, Map<String, String> fields) {
    public OpenedCredentials {
        fields = Map.copyOf(fields);
    }

    @Override
    public String toString() {
        return "";
    }
}
