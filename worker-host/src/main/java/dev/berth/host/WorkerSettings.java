package dev.berth.host;

import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.fix.FixSettings;
import dev.berth.host.gateway.GatewayEndpoint;
import dev.berth.temporal.TemporalClients;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/**
 * Settings of a worker process, from its task definition and overrides.
 *
 * @param userId a user id, or {@code -1} for a pool worker
 * @param epoch of a worker that is started for a user; a pool worker gets its epoch with the claim
 * @param orderSlots orders sent at once; 0 = no limit
 * @param metadata ECS task metadata endpoint v4
 */
public record WorkerSettings(
        String userId,
        long epoch,
        int orderSlots,
        WorkerLimits limits,
        GatewayEndpoint gateway,
        String temporalNamespace,
        AlpacaEndpoints alpaca,
        FixSettings fix,
        URI metadata,
        String version) {

    public WorkerSettings {
        if (orderSlots < 0) {
            throw new IllegalArgumentException("BERTH_ORDER_SLOTS must be 0 (no limit) or more, not " + orderSlots);
        }
    }

    /**
     * Reads the environment.
     *
     * @throws IllegalArgumentException naming the variable that is missing or wrong
     */
    public static WorkerSettings from(Map<String, String> environment) {
        return new WorkerSettings(
                required(environment, "BERTH_USER_ID"),
                number(environment, "BERTH_EPOCH", "0"),
                Math.toIntExact(number(environment, "BERTH_ORDER_SLOTS", "1")),
                WorkerLimits.from(environment),
                GatewayEndpoint.from(environment),
                environment.getOrDefault("BERTH_TEMPORAL_NAMESPACE", TemporalClients.NAMESPACE),
                AlpacaEndpoints.from(environment),
                FixSettings.from(environment),
                uri(environment, "ECS_CONTAINER_METADATA_URI_V4"),
                environment.getOrDefault("BERTH_VERSION", "dev"));
    }

    private static long number(Map<String, String> environment, String name, String defaultValue) {
        String value = environment.getOrDefault(name, defaultValue);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException unparsable) {
            throw new IllegalArgumentException(name + " must be a whole number, not " + value, unparsable);
        }
    }

    /** Neither message nor cause quotes the value: it may contain a password. */
    private static URI uri(Map<String, String> environment, String name) {
        try {
            return new URI(required(environment, name));
        } catch (URISyntaxException unredacted) {
            throw new IllegalArgumentException(name + " is no URI, from character " + unredacted.getIndex() + " on.");
        }
    }

    private static String required(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    name + " is not set. A worker is started by ECS, whose task definition sets it.");
        }
        return value;
    }
}
