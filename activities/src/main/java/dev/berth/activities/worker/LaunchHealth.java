package dev.berth.activities.worker;

import dev.berth.workflows.Latest;
import dev.berth.workflows.RedisKeys;
import dev.failsafe.CircuitBreaker;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether what is launched comes up, by version of the task definition. While at least half of the last launches of a
 * version, and {@value #FAILURES} or more, came to nothing, its launches are held; then one is tried. Each replica
 * judges by what it has launched and heard itself.
 */
public final class LaunchHealth {
    /** So many verdicts are needed before a version is held; a single bad host makes fewer. */
    static final int FAILURES = 5;

    private static final int FAILURE_PERCENT = 50;
    private static final Duration JUDGED_OVER = Duration.ofMinutes(5);
    /** As long as a lifecycle waits for the process of its task. A task that stops later did not die at its start. */
    private static final Duration START = Duration.ofSeconds(90);
    /** Redis is asked once for the launches of this time together. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Longer than the longest pause of the pool, so that a version that still fails stays known. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(15);

    private static final int REMEMBERED = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(LaunchHealth.class);

    /** A launch that neither came up nor failed yet. */
    private record Pending(String taskDefinition, Instant since) {}

    private final RedisCommands<String, String> redis;
    private final Duration heldFor;
    private final InstantSource clock;
    private final Map<String, CircuitBreaker<Object>> breakers = new ConcurrentHashMap<>();
    private final Map<String, Instant> used = new ConcurrentHashMap<>();
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final Map<String, Boolean> heardOf = new Latest<>(REMEMBERED);
    private Instant lookedAt = Instant.EPOCH;

    /** @param heldFor how long launches are held before one is tried */
    public LaunchHealth(RedisCommands<String, String> redis, Duration heldFor, InstantSource clock) {
        this.redis = redis;
        this.heldFor = heldFor;
        this.clock = clock;
    }

    /** How many versions are held, or on trial. One that nobody launches any more is forgotten. */
    public synchronized int held() {
        Instant recently = clock.instant().minus(FORGOTTEN);
        breakers.keySet()
                .removeIf(version -> used.getOrDefault(version, Instant.EPOCH).isBefore(recently));
        used.keySet().retainAll(breakers.keySet());
        return (int) breakers.values().stream().filter(it -> !it.isClosed()).count();
    }

    /** Whether a launch may be made now. While a version is on trial only one may. */
    synchronized boolean permits(String taskDefinition) {
        settle();
        boolean permitted = of(taskDefinition).tryAcquirePermit();
        if (permitted && isOnTrial(taskDefinition)) {
            LOG.info("one launch of {} is tried", taskDefinition);
        }
        return permitted;
    }

    synchronized boolean isOnTrial(String taskDefinition) {
        return of(taskDefinition).isHalfOpen();
    }

    /** How long launches are held still. */
    synchronized Duration heldStill(String taskDefinition) {
        CircuitBreaker<Object> breaker = of(taskDefinition);
        return breaker.isOpen() ? breaker.getRemainingDelay() : heldFor;
    }

    synchronized void started(String taskDefinition, List<String> taskArns) {
        Instant now = clock.instant();
        taskArns.forEach(task -> pending.put(RedisKeys.taskId(task), new Pending(taskDefinition, now)));
        settle();
    }

    /** ECS refuses to launch it, for a reason that waiting does not change. */
    synchronized void refused(String taskDefinition) {
        failed(taskDefinition);
    }

    /** A permitted launch says nothing about the image, as when no host has room: another may be tried. */
    synchronized void unjudged(String taskDefinition) {
        CircuitBreaker<Object> breaker = of(taskDefinition);
        if (breaker.isHalfOpen()) {
            // Only a change of its state makes the breaker give its permit anew.
            breaker.open();
            breaker.halfOpen();
        }
    }

    /**
     * ECS says that a task stopped. Told again, or one that had come up: nothing changes.
     *
     * @param byItself not because somebody asked for it, nor with exit code 0
     * @param lived from its launch to its end
     */
    public synchronized void stopped(String taskArn, String taskDefinition, boolean byItself, Duration lived) {
        String taskId = RedisKeys.taskId(taskArn);
        boolean cameUp = marked(List.of(taskId)).getFirst();
        boolean isNews = heardOf.put(taskId, true) == null;
        Pending launch = pending.remove(taskId);
        if (cameUp && launch != null) {
            cameUp(taskDefinition);
        } else if (byItself && isNews && !cameUp && lived.compareTo(START) < 0) {
            failed(taskDefinition);
        } else if (launch != null) {
            unjudged(taskDefinition);
        }
    }

    /** Judges the launches whose processes have marked themselves since; without Redis, later. */
    private void settle() {
        Instant now = clock.instant();
        if (pending.isEmpty() || now.isBefore(lookedAt.plus(LOOK_AGAIN))) {
            return;
        }
        lookedAt = now;
        List<String> tasks = List.copyOf(pending.keySet());
        List<Boolean> cameUp;
        try {
            cameUp = marked(tasks);
        } catch (RedisException away) {
            LOG.debug("launches are judged later: {}", away.getMessage());
            return;
        }
        for (int i = 0; i < tasks.size(); i++) {
            Pending launch = pending.get(tasks.get(i));
            if (launch != null && cameUp.get(i)) {
                pending.remove(tasks.get(i));
                cameUp(launch.taskDefinition());
            } else if (launch != null && !now.isBefore(launch.since().plus(START))) {
                pending.remove(tasks.get(i));
                unjudged(launch.taskDefinition());
            }
        }
    }

    /** A process that came up marks itself in the pool, or as a user's. */
    private List<Boolean> marked(List<String> taskIds) {
        List<String> keys = new ArrayList<>();
        for (String task : taskIds) {
            keys.add(RedisKeys.poolMark(task));
            keys.add(RedisKeys.task(task));
        }
        List<KeyValue<String, String>> marks = redis.mget(keys.toArray(String[]::new));
        List<Boolean> cameUp = new ArrayList<>();
        for (int i = 0; i < marks.size(); i += 2) {
            cameUp.add(marks.get(i).hasValue() || marks.get(i + 1).hasValue());
        }
        return cameUp;
    }

    private void cameUp(String taskDefinition) {
        CircuitBreaker<Object> breaker = of(taskDefinition);
        boolean held = !breaker.isClosed();
        breaker.recordSuccess();
        if (held && breaker.isClosed()) {
            LOG.info("launches of {} go well again", taskDefinition);
        }
    }

    private void failed(String taskDefinition) {
        CircuitBreaker<Object> breaker = of(taskDefinition);
        boolean held = breaker.isOpen();
        breaker.recordFailure();
        if (!held && breaker.isOpen()) {
            LOG.error("launches of {} are held for {}: most came to nothing", taskDefinition, heldFor);
        }
    }

    private CircuitBreaker<Object> of(String taskDefinition) {
        used.put(taskDefinition, clock.instant());
        return breakers.computeIfAbsent(
                taskDefinition,
                _ -> CircuitBreaker.builder()
                        .withFailureRateThreshold(FAILURE_PERCENT, FAILURES, JUDGED_OVER)
                        .withSuccessThreshold(1)
                        .withDelay(heldFor)
                        .build());
    }
}
