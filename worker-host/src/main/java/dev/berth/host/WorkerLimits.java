package dev.berth.host;

import dev.berth.workflows.order.OrderPolicies;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * How long things may take in a worker process.
 *
 * @param sessionPing between two looks at each open session
 * @param submit the whole submission of an order; then its outcome is unknown and its slot is free. At most 15 s,
 *     since the workflow gives it up soon after that
 * @param call any other call to a broker; at most 60 s, for the same reason
 * @param hungAfter work that is not over after this means that the process hangs as a whole, and it ends itself
 * @param idleAfter without an order for so long, and with none at the venue, it says that it is idle
 */
public record WorkerLimits(
        Duration sessionPing, Duration submit, Duration call, Duration hungAfter, Duration idleAfter) {
    public static final WorkerLimits DEFAULT = from(Map.of());

    public WorkerLimits {
        requireMost("BERTH_SUBMIT_LIMIT", submit, OrderPolicies.BROKER_CALL);
        requireMost("BERTH_CALL_LIMIT", call, OrderPolicies.OTHER_CALL);
        requirePositive("BERTH_SESSION_PING", sessionPing);
        requirePositive("BERTH_IDLE_AFTER", idleAfter);
        // A look-up waits for the submission first.
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

    private static Duration duration(Map<String, String> environment, String name, String otherwise) {
        String value = environment.getOrDefault(name, otherwise);
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException noDuration) {
            throw new IllegalArgumentException(
                    name + " must be an ISO 8601 duration such as PT30S, not " + value, noDuration);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be longer than nothing, not " + value);
        }
    }

    private static void requireMost(String name, Duration value, Duration most) {
        requirePositive(name, value);
        if (value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " must be " + most + " at most, not " + value);
        }
    }
}
