package dev.berth.workflows.pool;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.ExponentialBackoff;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the pool's workflow remembers, from run to run.
 *
 * @param recent tasks that were started and are not stable yet, oldest first
 * @param backoff after failed launches; null when launches succeed
 * @param surplusSince since when there are more idle workers than the target; null when there are
 *     not
 * @param belowMinimumSince since when there are fewer idle workers than the minimum; null when
 *     there are not
 * @param step the target of the last check by the exchanges' calendars; null without one
 * @param stopped tasks that stopped and still count as idle in Redis
 * @param checkedAt when the last check ended; null when one is due
 * @param attentionShown whether the search attribute calls for a person
 */
@RecordBuilder
public record PoolState(
        PoolSize size,
        List<StartingTask> recent,
        @Nullable LaunchBackoff backoff,
        @Nullable Instant surplusSince,
        @Nullable Instant belowMinimumSince,
        @Nullable PoolStep step,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> stopped,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant checkedAt,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean attentionShown)
        implements PoolStateBuilder.With {

    /**
     * A task that is not stable yet.
     *
     * @param idleAt when the task was first seen idle; null while the task starts
     */
    public record StartingTask(
            String taskArn, Instant startedAt, @Nullable Instant idleAt) {
        boolean isStable(Instant now) {
            return idleAt != null && !now.isBefore(idleAt.plus(PoolPolicies.STABLE_AFTER));
        }

        Instant nextCheck(Instant now) {
            return idleAt == null ? now.plus(PoolPolicies.STARTING_CHECK) : idleAt.plus(PoolPolicies.STABLE_AFTER);
        }

        boolean isOverdue(Instant now) {
            return idleAt == null && !now.isBefore(startedAt.plus(PoolPolicies.START));
        }
    }

    /**
     * No launch before this time.
     *
     * @param failures in a row
     */
    public record LaunchBackoff(Instant until, int failures, String reason) {}

    public PoolState {
        recent = List.copyOf(recent);
        stopped = stopped == null ? List.of() : List.copyOf(stopped);
    }

    /** A new pool. */
    public static PoolState of(PoolSize size) {
        return new PoolState(size, List.of(), null, null, null, null, List.of(), null, false);
    }

    /** Ends the backoff: a deployment may have removed the reason of the failures. */
    PoolState resized(PoolSize newSize) {
        return withSize(newSize)
                .withBackoff(null)
                .withSurplusSince(null)
                .withStep(null)
                .due();
    }

    /** Idle workers to keep now. */
    public int target() {
        return step == null ? size.target() : step.target();
    }

    /** ARNs of the tasks that are not idle yet. */
    public List<String> starting() {
        return recent.stream()
                .filter(task -> task.idleAt() == null)
                .map(StartingTask::taskArn)
                .toList();
    }

    Optional<String> overdue(Instant now) {
        return recent.stream()
                .filter(task -> task.isOverdue(now))
                .map(StartingTask::taskArn)
                .findFirst();
    }

    boolean isBackingOff(Instant now) {
        return backoff != null && now.isBefore(backoff.until());
    }

    boolean isSurplus(Instant now) {
        return surplusSince != null && !now.isBefore(surplusSince.plus(PoolPolicies.SURPLUS_AFTER));
    }

    /** A check is due now. */
    PoolState due() {
        return withCheckedAt(null);
    }

    /** When the next check is due. */
    Instant nextCheck(Instant now) {
        return checkedAt == null ? now : nextAfter(checkedAt);
    }

    private Instant nextAfter(Instant now) {
        Stream<Instant> checks = recent.stream().map(task -> task.nextCheck(now));
        Stream<Instant> ends = Stream.of(
                        isBackingOff(now) && backoff != null ? backoff.until() : null,
                        surplusSince == null ? null : surplusSince.plus(PoolPolicies.SURPLUS_AFTER),
                        step == null ? null : endOf(step, now))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
        return Stream.concat(checks, ends)
                .reduce(now.plus(PoolPolicies.CHECK_EVERY), (one, other) -> one.isBefore(other) ? one : other);
    }

    private static Instant endOf(PoolStep step, Instant now) {
        Instant earliest = now.plus(PoolPolicies.STEP_CHECK);
        return step.until().isBefore(earliest) ? earliest : step.until();
    }

    boolean isShortage(Instant now) {
        return belowMinimumSince != null && !now.isBefore(belowMinimumSince.plus(PoolPolicies.SHORTAGE_AFTER));
    }

    /** Applies a check. A task that became stable shows that launches succeed again. */
    PoolState checked(PoolView view, Instant now) {
        PoolState next = this;
        for (String task : view.idleNow()) {
            next = next.idle(task, now);
        }
        for (String task : view.stopped()) {
            next = next.stopped(task, "a worker stopped at its start", now);
        }
        next = next.awaiting(view.awaitingHost(), now);
        List<StartingTask> unstable =
                next.recent.stream().filter(task -> !task.isStable(now)).toList();
        return next.withRecent(unstable)
                .withBackoff(unstable.size() < next.recent.size() ? null : next.backoff)
                .withSurplusSince(view.surplus().isEmpty() ? null : Objects.requireNonNullElse(surplusSince, now))
                .withBelowMinimumSince(
                        view.idle() < size.minimum() ? Objects.requireNonNullElse(belowMinimumSince, now) : null)
                .withStep(view.step());
    }

    /** The time of a start counts from the host that has the task. */
    private PoolState awaiting(List<String> taskArns, Instant now) {
        return withRecent(recent.stream()
                .map(task -> taskArns.contains(task.taskArn()) ? new StartingTask(task.taskArn(), now, null) : task)
                .toList());
    }

    /** A starting task is idle, or serves a user already. */
    PoolState idle(String taskArn, Instant now) {
        return withRecent(recent.stream()
                .map(task -> task.taskArn().equals(taskArn) && task.idleAt() == null
                        ? new StartingTask(taskArn, task.startedAt(), now)
                        : task)
                .toList());
    }

    PoolState started(String taskArn, Instant now) {
        return withRecent(Stream.concat(recent.stream(), Stream.of(new StartingTask(taskArn, now, null)))
                .toList());
    }

    /**
     * A task that stops before it is stable delays the next launch; any other stop changes nothing.
     */
    PoolState stopped(String taskArn, String reason, Instant now) {
        PoolState left = without(taskArn);
        return left.recent.size() == recent.size() ? this : left.failed(reason, now);
    }

    /** Measures the surplus anew. */
    PoolState retired(String taskArn) {
        return without(taskArn).withSurplusSince(null);
    }

    /** No surplus worker could be retired, for example while each has a claim on its way. */
    PoolState surplusKept() {
        return withSurplusSince(null);
    }

    PoolState failed(String reason, Instant now) {
        return backedOff(reason, now, PoolPolicies.FAILURE_FIRST, PoolPolicies.FAILURE_LAST);
    }

    PoolState noCapacity(Instant now) {
        return backedOff("no host has room", now, PoolPolicies.NO_CAPACITY_FIRST, PoolPolicies.NO_CAPACITY_LAST);
    }

    /** Tasks that were launched together and stop together count as one failure. */
    private PoolState backedOff(String reason, Instant now, Duration first, Duration longest) {
        if (isBackingOff(now)) {
            return this;
        }
        int failures = backoff == null ? 1 : backoff.failures() + 1;
        Instant until = now.plus(ExponentialBackoff.pause(first, longest, failures));
        return withBackoff(new LaunchBackoff(until, failures, reason));
    }

    PoolState without(String taskArn) {
        return withRecent(
                recent.stream().filter(task -> !task.taskArn().equals(taskArn)).toList());
    }

    /** Until {@link #forgotten}, a claim may wait for this task in vain. */
    PoolState toForget(String taskArn) {
        return withStopped(Stream.concat(stopped.stream(), Stream.of(taskArn)).toList());
    }

    PoolState forgotten(List<String> taskArns) {
        return withStopped(
                stopped.stream().filter(task -> !taskArns.contains(task)).toList());
    }
}
