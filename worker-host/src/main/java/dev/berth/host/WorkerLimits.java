package dev.berth.host;

import dev.berth.workflows.order.OrderPolicies;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * Time limits of a worker process.
 *
 * @param sessionPing between two pings of each open session
 * @param submit the whole submission of an order; after it the outcome is unknown and the slot is
 *     free. At most 15 s, since the workflow gives up soon after that
 * @param call any other call to a broker; at most 60 s, for the same reason
 * @param hungAfter work that takes longer means that the process hangs; it ends itself
 * @param idleAfter after so long without an order, and none at the venue, the worker is idle
 */
public record WorkerLimits(
        Duration sessionPing, Duration submit, Duration call, Duration hungAfter, Duration idleAfter) {
    public static final WorkerLimits DEFAULT = from(Map.of());

    public WorkerLimits {
        requireAtMost("BERTH_SUBMIT_LIMIT", submit, OrderPolicies.BROKER_CALL);
        requireAtMost("BERTH_CALL_LIMIT", call, OrderPolicies.OTHER_CALL);
        requirePositive("BERTH_SESSION_PING", sessionPing);
        requirePositive("BERTH_IDLE_AFTER", idleAfter);
        // A look-up first waits for a running submission.
        if (hungAfter.compareTo(call.plus(submit)) <= 0) {
            throw new IllegalArgumentException(
                    "BERTH_HUNG_AFTER must be longer than BERTH_CALL_LIMIT and BERTH_SUBMIT_LIMIT together, not "
                            + hungAfter);
        }
    }

    /**
     * Reads the environment.
     *
     * @throws IllegalArgumentException naming the variable that is wrong
     */
    static WorkerLimits from(Map<String, String> environment) {
        return new WorkerLimits(
                duration(environment, "BERTH_SESSION_PING", "PT60S"),
                duration(environment, "BERTH_SUBMIT_LIMIT", "PT15S"),
                duration(environment, "BERTH_CALL_LIMIT", "PT60S"),
                duration(environment, "BERTH_HUNG_AFTER", "PT180S"),
                duration(environment, "BERTH_IDLE_AFTER", "PT30M"));
    }

    private static Duration duration(Map<String, String> environment, String name, String defaultValue) {
        String value = environment.getOrDefault(name, defaultValue);
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException unparsable) {
            throw new IllegalArgumentException(
                    name + " must be an ISO 8601 duration such as PT30S, not " + value, unparsable);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    private static void requireAtMost(String name, Duration value, Duration max) {
        requirePositive(name, value);
        if (value.compareTo(max) > 0) {
            throw new IllegalArgumentException(name + " must be " + max + " at most, not " + value);
        }
    }
}
