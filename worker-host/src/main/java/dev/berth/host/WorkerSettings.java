package dev.berth.host;

import java.net.URI;
import java.util.Map;

/**
 * What a worker process is told by its task definition and overrides. Endpoint, region and credentials of AWS come
 * from the SDK's own settings.
 *
 * @param userId a user id, or {@code -1} for a pool worker
 * @param epoch of a worker that was started for a user; a pool worker gets its own with the claim
 * @param orderSlots orders in hand at once; 1 unless set, 0 = no limit
 * @param limits how long things may take
 * @param metadata ECS task metadata endpoint v4
 */
public record WorkerSettings(
        String userId,
        long epoch,
        int orderSlots,
        WorkerLimits limits,
        String temporalTarget,
        String temporalNamespace,
        URI redis,
        String claimQueue,
        URI alpaca,
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
                required(environment, "BERTH_TEMPORAL_TARGET"),
                environment.getOrDefault("BERTH_TEMPORAL_NAMESPACE", "berth"),
                URI.create(required(environment, "BERTH_REDIS_URI")),
                environment.getOrDefault("BERTH_CLAIM_QUEUE", "pool-claim"),
                URI.create(required(environment, "BERTH_ALPACA_URL")),
                URI.create(required(environment, "ECS_CONTAINER_METADATA_URI_V4")),
                environment.getOrDefault("BERTH_VERSION", "dev"));
    }

    private static long number(Map<String, String> environment, String name, String otherwise) {
        String value = environment.getOrDefault(name, otherwise);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException(name + " must be a whole number, not " + value, noNumber);
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
