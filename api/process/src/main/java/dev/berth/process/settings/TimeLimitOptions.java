package dev.berth.process.settings;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long one step may take at most, from 1 s to 1 h; then it counts as failed.
 *
 * @param lifecycleStep opening a session, and stopping a task
 * @param orderCheck a question to the venue, a cancel or a replacement
 * @param sweep a whole sweep
 * @param sweepBatch the healing of one batch of drifts
 * @param poolStep the launch of the pool's tasks
 */
public record TimeLimitOptions(
        @DefaultValue("PT60S") Duration lifecycleStep,
        @DefaultValue("PT120S") Duration orderCheck,
        @DefaultValue("PT300S") Duration sweep,
        @DefaultValue("PT30S") Duration sweepBatch,
        @DefaultValue("PT60S") Duration poolStep) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    public TimeLimitOptions {
        check("lifecycle-step", lifecycleStep);
        check("order-check", orderCheck);
        check("sweep", sweep);
        check("sweep-batch", sweepBatch);
        check("pool-step", poolStep);
    }

    private static void check(String name, Duration limit) {
        if (limit.compareTo(SHORTEST) < 0 || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("berth.time-limits." + name + " must be from 1 s to 1 h, not " + limit);
        }
    }

    /** The limits of single activities, by the types that the interfaces in workflows name. */
    public Map<String, Duration> byActivity() {
        Map<String, Duration> limits = new HashMap<>();
        List.of("openSession", "stopTask").forEach(type -> limits.put(type, lifecycleStep));
        List.of("findOrder", "checkOrder", "findExecutions", "cancelOrder", "replaceOrder")
                .forEach(type -> limits.put(type, orderCheck));
        limits.put("heal", sweepBatch);
        limits.put("runPoolTask", poolStep);
        return limits;
    }
}
