package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user's worker: what is wanted, what there is, and what must be remembered. The input and the whole state of its
 * lifecycle workflow.
 *
 * @param epoch of the current worker, or of the last; 0 before the first
 * @param raised the highest epoch that was ever given out; above {@code epoch} while the next worker is not there yet
 * @param accounts whose sessions were asked for, the first one first
 * @param unproven earlier workers that may still live, oldest first
 * @param recentDeaths when workers died within the last 10 min
 * @param deaths how often a worker of this user was found dead
 * @param requestedAt when the current worker was asked for
 */
public record WorkerState(
        UserId userId,
        Desired desired,
        WorkerStatus status,
        long epoch,
        long raised,
        List<AccountKey> accounts,
        List<Unproven> unproven,
        List<Instant> recentDeaths,
        int deaths,
        @Nullable Instant requestedAt) {
    /** A worker that could not be stopped. */
    public record Unproven(long epoch, String taskArn) {}

    public WorkerState {
        accounts = List.copyOf(accounts);
        unproven = List.copyOf(unproven);
        recentDeaths = List.copyOf(recentDeaths);
    }

    public static WorkerState none(UserId userId) {
        WorkerStatus none = new WorkerStatus.Terminated(Instant.EPOCH, null);
        return new WorkerState(userId, Desired.NOTHING, none, 0, 0, List.of(), List.of(), List.of(), 0, null);
    }

    /** Whether a worker should run now. */
    @JsonIgnore
    public boolean isWanted() {
        return desired.running() && desired.suspended() == null;
    }

    public WorkerPhase phase() {
        return status.phase();
    }

    /** The current process, in the states that have one. */
    public @Nullable WorkerProcess process() {
        LiveWorker worker = status.worker();
        return worker == null ? null : worker.process();
    }

    /** So many deaths in so short a time that a person should look. */
    public boolean isCrashLooping(Instant now) {
        return recentDeaths.stream().filter(within(now)).count() > WorkerPolicies.DEATHS;
    }

    private static Predicate<Instant> within(Instant now) {
        return death -> death.isAfter(now.minus(WorkerPolicies.DEATHS_WITHIN));
    }

    WorkerState in(WorkerStatus next) {
        if (!WorkerMoves.allows(status, next)) {
            throw new IllegalStateException("a worker does not go from " + status + " to " + next);
        }
        return new WorkerState(
                userId, desired, next, epoch, raised, accounts, unproven, recentDeaths, deaths, requestedAt);
    }

    WorkerState wanting(Desired now) {
        return new WorkerState(
                userId, now, status, epoch, raised, accounts, unproven, recentDeaths, deaths, requestedAt);
    }

    /** The account is first from now on. */
    WorkerState needing(AccountKey account) {
        List<AccountKey> all =
                Stream.concat(Stream.of(account), accounts.stream()).distinct().toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, all, unproven, recentDeaths, deaths, requestedAt);
    }

    WorkerState raised(long to) {
        return new WorkerState(
                userId, desired, status, epoch, to, accounts, unproven, recentDeaths, deaths, requestedAt);
    }

    /** From now on the highest epoch is the current worker's. */
    WorkerState requested(Instant at) {
        return new WorkerState(userId, desired, status, raised, raised, accounts, unproven, recentDeaths, deaths, at);
    }

    WorkerState died(Instant at) {
        List<Instant> recent = Stream.concat(recentDeaths.stream().filter(within(at)), Stream.of(at))
                .toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, unproven, recent, deaths + 1, requestedAt);
    }

    WorkerState doubting(Unproven worker) {
        List<Unproven> all =
                Stream.concat(unproven.stream(), Stream.of(worker)).distinct().toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, all, recentDeaths, deaths, requestedAt);
    }

    /** The task is proven dead. */
    WorkerState proven(String taskArn) {
        List<Unproven> rest = unproven.stream()
                .filter(worker -> !worker.taskArn().equals(taskArn))
                .toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, rest, recentDeaths, deaths, requestedAt);
    }
}
