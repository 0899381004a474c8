package dev.berth.activities.launch;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.TaskArns;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit breaker for each version of the task definition. The circuit opens when at least half
 * of the recent launches of a version, and {@value #FAILURES} or more, failed; half-open, it
 * permits one launch. The circuits are shared by all replicas; each replica waits for the
 * heartbeats of its own launches.
 */
public final class LaunchCircuitBreaker {
    /** Failures that open a circuit; a single bad host causes fewer. */
    static final int FAILURES = 5;

    /**
     * As long as a lifecycle waits for the process of its task. A later stop is no failed start.
     */
    private static final Duration START = Duration.ofSeconds(90);
    /** One query of Redis covers all launches of this time. */
    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

    private static final int STOPS_KEPT = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(LaunchCircuitBreaker.class);

    /** A launch without a result. */
    private record Pending(String taskDefinition, Instant since) {}

    private final RedisCommands<String, String> redis;
    private final Duration openFor;
    private final SharedCircuits circuits;
    private final InstantSource clock;
    private final @Nullable FailingHosts hosts;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final Map<String, Boolean> knownStops = new BoundedMap<>(STOPS_KEPT);
    private Instant lastCheck = Instant.EPOCH;

    /** @param openFor from open to half-open */
    public LaunchCircuitBreaker(RedisCommands<String, String> redis, Duration openFor, InstantSource clock) {
        this(redis, openFor, clock, null);
    }

    /** @param hosts tell whether a failure is the host's; null: each is the version's */
    public LaunchCircuitBreaker(
            RedisCommands<String, String> redis, Duration openFor, InstantSource clock, @Nullable FailingHosts hosts) {
        this.redis = redis;
        this.openFor = openFor;
        this.circuits = new SharedCircuits(redis, openFor, clock);
        this.clock = clock;
        this.hosts = hosts;
    }

    /** Versions whose circuit is open or half-open, without those that are no longer launched. */
    public int countNotClosed() {
        return circuits.countNotClosed();
    }

    /** Whether a launch may start now; a half-open circuit permits one. */
    synchronized boolean tryAcquire(String taskDefinition) {
        recordStarted();
        boolean permitted = circuits.tryAcquire(taskDefinition);
        if (permitted && isHalfOpen(taskDefinition)) {
            LOG.info("launch circuit of {} is half-open", taskDefinition);
        }
        return permitted;
    }

    boolean isHalfOpen(String taskDefinition) {
        return circuits.isHalfOpen(taskDefinition);
    }

    /** Until the circuit is half-open. */
    Duration remainingDelay(String taskDefinition) {
        return circuits.remainingDelay(taskDefinition);
    }

    synchronized void launched(String taskDefinition, List<String> taskArns) {
        Instant now = clock.instant();
        taskArns.forEach(task -> pending.put(TaskArns.id(task), new Pending(taskDefinition, now)));
        recordStarted();
    }

    /** ECS refuses the launch for a reason that waiting does not change. */
    void refused(String taskDefinition) {
        failed(taskDefinition, UUID.randomUUID().toString());
    }

    /**
     * A permitted launch has no result for the image, for example when no host has room: permit
     * another.
     */
    void release(String taskDefinition) {
        circuits.release(taskDefinition);
    }

    /**
     * Records a stop that ECS reports. A repeated report, or a stop after a successful start,
     * changes nothing.
     *
     * @param isFailure neither a requested stop nor exit code 0
     * @param lifetime from launch to stop
     */
    void stopped(String taskArn, String taskDefinition, boolean isFailure, Duration lifetime) {
        stopped(taskArn, taskDefinition, isFailure, lifetime, "");
    }

    /**
     * As the other, on a host.
     *
     * @param host ARN of the container instance; empty when the task had none
     */
    public synchronized void stopped(
            String taskArn, String taskDefinition, boolean isFailure, Duration lifetime, String host) {
        String taskId = TaskArns.id(taskArn);
        boolean hasStarted = hasHeartbeat(List.of(taskId)).getFirst();
        boolean isFirstReport = knownStops.put(taskId, true) == null;
        Pending launch = pending.remove(taskId);
        if (hasStarted && launch != null) {
            succeeded(taskDefinition, taskId);
        } else if (isFailure && isFirstReport && !hasStarted && lifetime.compareTo(START) < 0) {
            if (hosts == null || hosts.countsAgainstVersion(taskDefinition, host)) {
                failed(taskDefinition, taskId);
            } else {
                release(taskDefinition);
            }
        } else if (launch != null) {
            release(taskDefinition);
        }
    }

    /** Records a success for each launch whose process has a heartbeat; without Redis, later. */
    private void recordStarted() {
        Instant now = clock.instant();
        if (pending.isEmpty() || now.isBefore(lastCheck.plus(CHECK_EVERY))) {
            return;
        }
        lastCheck = now;
        List<String> tasks = List.copyOf(pending.keySet());
        List<Boolean> started;
        try {
            started = hasHeartbeat(tasks);
        } catch (RedisException unavailable) {
            LOG.debug("cannot check launches without Redis: {}", unavailable.getMessage());
            return;
        }
        for (int i = 0; i < tasks.size(); i++) {
            Pending launch = pending.get(tasks.get(i));
            if (launch != null && started.get(i)) {
                pending.remove(tasks.get(i));
                succeeded(launch.taskDefinition(), tasks.get(i));
            } else if (launch != null && !now.isBefore(launch.since().plus(START))) {
                pending.remove(tasks.get(i));
                release(launch.taskDefinition());
            }
        }
    }

    /** A started process writes the heartbeat of a pool worker or of a user's worker. */
    private List<Boolean> hasHeartbeat(List<String> taskIds) {
        List<String> keys = new ArrayList<>();
        for (String task : taskIds) {
            keys.add(RedisKeys.poolHeartbeat(task));
            keys.add(RedisKeys.task(task));
        }
        List<KeyValue<String, String>> heartbeats = redis.mget(keys.toArray(String[]::new));
        List<Boolean> started = new ArrayList<>();
        for (int i = 0; i < heartbeats.size(); i += 2) {
            started.add(heartbeats.get(i).hasValue() || heartbeats.get(i + 1).hasValue());
        }
        return started;
    }

    private void succeeded(String taskDefinition, String task) {
        if (circuits.record(taskDefinition, task, false) == SharedCircuits.Change.CLOSED) {
            LOG.info("launch circuit of {} is closed", taskDefinition);
        }
    }

    private void failed(String taskDefinition, String task) {
        if (circuits.record(taskDefinition, task, true) == SharedCircuits.Change.OPENED) {
            LOG.error("launch circuit of {} is open for {}: most launches failed", taskDefinition, openFor);
        }
    }
}
