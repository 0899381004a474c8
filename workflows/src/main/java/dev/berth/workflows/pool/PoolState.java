package dev.berth.workflows.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the pool's workflow knows. It goes from run to run.
 *
 * @param young tasks that were started lately, the oldest first
 * @param hold why nothing is started now, or was not lately; null when starts go well
 * @param surplusSince since when there are more idle workers than the target; null when there are not
 * @param shortSince since when there are fewer idle workers than the minimum; null when there are not
 */
public record PoolState(
        PoolSize size,
        List<Young> young,
        @Nullable Hold hold,
        @Nullable Instant surplusSince,
        @Nullable Instant shortSince) {

    /**
     * A task that was started lately.
     *
     * @param arrivedAt when it was first seen idle; null while it starts
     */
    public record Young(
            String taskArn, Instant startedAt, @Nullable Instant arrivedAt) {
        boolean isGrownUp(Instant now) {
            return arrivedAt != null && !now.isBefore(arrivedAt.plus(PoolPolicies.GROWN_UP));
        }

        /** Nobody tells when it is idle. */
        Instant nextLook(Instant now) {
            return arrivedAt == null ? now.plus(PoolPolicies.STARTING_LOOK) : arrivedAt.plus(PoolPolicies.GROWN_UP);
        }

        boolean isOverdue(Instant now) {
            return arrivedAt == null && !now.isBefore(startedAt.plus(PoolPolicies.START));
        }
    }

    /**
     * A pause of the launches.
     *
     * @param times how often in a row
     */
    public record Hold(Instant until, int times, String why) {}

    public PoolState {
        young = List.copyOf(young);
    }

    /** A pool of which nothing is known yet. */
    public static PoolState of(PoolSize size) {
        return new PoolState(size, List.of(), null, null, null);
    }

    /** Somebody has changed something, perhaps what the launches were held for: they are tried again. */
    PoolState resized(PoolSize newSize) {
        return new PoolState(newSize, young, null, null, shortSince);
    }

    List<String> starting() {
        return young.stream()
                .filter(task -> task.arrivedAt() == null)
                .map(Young::taskArn)
                .toList();
    }

    Optional<String> overdue(Instant now) {
        return young.stream()
                .filter(task -> task.isOverdue(now))
                .map(Young::taskArn)
                .findFirst();
    }

    boolean isHeld(Instant now) {
        return hold != null && now.isBefore(hold.until());
    }

    boolean isSurplus(Instant now) {
        return surplusSince != null && !now.isBefore(surplusSince.plus(PoolPolicies.SURPLUS));
    }

    /** The earliest moment at which something is to be done without being told. */
    Instant nextLook(Instant now) {
        Stream<Instant> looks = young.stream().map(task -> task.nextLook(now));
        Stream<Instant> ends = Stream.of(
                        isHeld(now) && hold != null ? hold.until() : null,
                        surplusSince == null ? null : surplusSince.plus(PoolPolicies.SURPLUS))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
        return Stream.concat(looks, ends)
                .reduce(now.plus(PoolPolicies.ROUND), (one, other) -> one.isBefore(other) ? one : other);
    }

    boolean isBelowMinimumForLong(Instant now) {
        return shortSince != null && !now.isBefore(shortSince.plus(PoolPolicies.SHORT));
    }

    /** What a look tells. A worker that lived for a while shows that starts go well again. */
    PoolState seen(PoolView view, Instant now) {
        PoolState seen = this;
        for (String task : view.arrived()) {
            seen = seen.arrived(task, now);
        }
        for (String task : view.gone()) {
            seen = seen.died(task, "a worker died at its start", now);
        }
        List<Young> still =
                seen.young.stream().filter(task -> !task.isGrownUp(now)).toList();
        return new PoolState(
                size,
                still,
                still.size() < seen.young.size() ? null : seen.hold,
                view.surplus().isEmpty() ? null : Objects.requireNonNullElse(surplusSince, now),
                view.idle() < size.minimum() ? Objects.requireNonNullElse(shortSince, now) : null);
    }

    /** It is idle, or serves a user already. Any other than a starting one: nothing changes. */
    PoolState arrived(String taskArn, Instant now) {
        return with(young.stream()
                .map(task -> task.taskArn().equals(taskArn) && task.arrivedAt() == null
                        ? new Young(taskArn, task.startedAt(), now)
                        : task)
                .toList());
    }

    PoolState started(List<String> taskArns, Instant now) {
        Stream<Young> started = taskArns.stream().map(task -> new Young(task, now, null));
        return with(Stream.concat(young.stream(), started).toList());
    }

    /** A task stopped. One that did so before it grew up makes the next launch wait; of any other nothing is known. */
    PoolState died(String taskArn, String why, Instant now) {
        PoolState left = without(taskArn);
        return left.young.size() == young.size() ? this : left.failed(why, now);
    }

    /** A task was retired. What is left is surplus only when it has been for a while. */
    PoolState retired(String taskArn) {
        PoolState left = without(taskArn);
        return new PoolState(size, left.young, hold, null, shortSince);
    }

    /** None of the surplus could be retired, such as while each has a claim on its way: the next look says what is left. */
    PoolState spared() {
        return new PoolState(size, young, hold, null, shortSince);
    }

    PoolState failed(String why, Instant now) {
        return held(why, now, PoolPolicies.FIRST_FAILURE, PoolPolicies.LAST_FAILURE);
    }

    PoolState noRoom(Instant now) {
        return held("no host has room", now, PoolPolicies.FIRST_NO_ROOM, PoolPolicies.LAST_NO_ROOM);
    }

    /** Ten that were started by one call and die together are one failure. */
    private PoolState held(String why, Instant now, Duration first, Duration longest) {
        if (isHeld(now)) {
            return this;
        }
        int times = hold == null ? 1 : hold.times() + 1;
        Duration pause = first;
        for (int i = 1; i < times && pause.compareTo(longest) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        Instant until = now.plus(pause.compareTo(longest) < 0 ? pause : longest);
        return new PoolState(size, young, new Hold(until, times, why), surplusSince, shortSince);
    }

    PoolState without(String taskArn) {
        return with(
                young.stream().filter(task -> !task.taskArn().equals(taskArn)).toList());
    }

    private PoolState with(List<Young> others) {
        return new PoolState(size, others, hold, surplusSince, shortSince);
    }
}
