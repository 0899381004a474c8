package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user's worker: what is wanted, what there is, and what must be remembered. The input and the
 * whole state of its lifecycle workflow.
 *
 * @param epoch of the current worker, or of the last; 0 before the first
 * @param raised the highest epoch that was ever given out; above {@code epoch} while the next
 *     worker is not there yet
 * @param accounts whose sessions were asked for, the one that was needed last first; at most
 *     {@link #MAX_ACCOUNTS}
 * @param unconfirmedStops earlier workers that may still live, oldest first
 * @param recentDeaths when workers died within the last 10 min
 * @param deaths how often a worker of this user was found dead
 * @param requestedAt when the current worker was asked for
 * @param memory what a new run of the workflow must know besides
 */
public record WorkerState(
        UserId userId,
        DesiredState desired,
        WorkerStatus status,
        long epoch,
        long raised,
        List<AccountKey> accounts,
        List<UnconfirmedStop> unconfirmedStops,
        List<Instant> recentDeaths,
        int deaths,
        @Nullable Instant requestedAt,
        WorkerMemory memory) {
    /** Each session that a broker refuses is tried again now and then. */
    static final int MAX_ACCOUNTS = 100;

    /**
     * A worker that could not be stopped.
     *
     * @param isLost ECS called it {@code STOPPED} without proof, and says nothing more of it
     */
    public record UnconfirmedStop(long epoch, String taskArn, boolean isLost) {
        public UnconfirmedStop(long epoch, String taskArn) {
            this(epoch, taskArn, false);
        }
    }

    public WorkerState {
        accounts = List.copyOf(accounts);
        unconfirmedStops = List.copyOf(unconfirmedStops);
        recentDeaths = List.copyOf(recentDeaths);
        memory = Objects.requireNonNullElse(memory, WorkerMemory.NONE);
    }

    public static WorkerState none(UserId userId) {
        WorkerStatus none = new WorkerStatus.Terminated(Instant.EPOCH, null);
        return new WorkerState(
                userId, DesiredState.NOTHING, none, 0, 0, List.of(), List.of(), List.of(), 0, null, WorkerMemory.NONE);
    }

    /** Whether a worker should run now. */
    @JsonIgnore
    public boolean isWanted() {
        return desired.running() && desired.suspended() == null;
    }

    /** Whether the worker of the current epoch may go on: it is wanted, and no stop ended it. */
    boolean mayServe() {
        return isWanted() && epoch > desired.stoppedEpoch();
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
        if (!status.mayBecome(next)) {
            throw new IllegalStateException("a worker does not go from " + status + " to " + next);
        }
        return new WorkerState(
                userId,
                desired,
                next,
                epoch,
                raised,
                accounts,
                unconfirmedStops,
                recentDeaths,
                deaths,
                requestedAt,
                memory);
    }

    WorkerState wanting(DesiredState now) {
        return new WorkerState(
                userId,
                now,
                status,
                epoch,
                raised,
                accounts,
                unconfirmedStops,
                recentDeaths,
                deaths,
                requestedAt,
                memory);
    }

    /** The account is first from now on; the last one makes room for it, and is forgotten. */
    WorkerState needing(AccountKey account) {
        List<AccountKey> all =
                Stream.concat(Stream.of(account), accounts.stream()).distinct().toList();
        int kept = Math.min(all.size(), MAX_ACCOUNTS);
        return new WorkerState(
                userId,
                desired,
                status,
                epoch,
                raised,
                all.subList(0, kept),
                unconfirmedStops,
                recentDeaths,
                deaths,
                requestedAt,
                memory.with(memory.sessions().without(all.subList(kept, all.size()))));
    }

    WorkerState raised(long to) {
        return new WorkerState(
                userId,
                desired,
                status,
                epoch,
                to,
                accounts,
                unconfirmedStops,
                recentDeaths,
                deaths,
                requestedAt,
                memory);
    }

    /** From now on the highest epoch is the current worker's. */
    WorkerState requested(Instant at) {
        return new WorkerState(
                userId, desired, status, raised, raised, accounts, unconfirmedStops, recentDeaths, deaths, at, memory);
    }

    WorkerState died(Instant at) {
        List<Instant> recent = Stream.concat(recentDeaths.stream().filter(within(at)), Stream.of(at))
                .toList();
        return new WorkerState(
                userId,
                desired,
                status,
                epoch,
                raised,
                accounts,
                unconfirmedStops,
                recent,
                deaths + 1,
                requestedAt,
                memory);
    }

    WorkerState withUnconfirmedStop(UnconfirmedStop worker) {
        List<UnconfirmedStop> all = Stream.concat(unconfirmedStops.stream(), Stream.of(worker))
                .distinct()
                .toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, all, recentDeaths, deaths, requestedAt, memory);
    }

    /** ECS says nothing more of the task. */
    WorkerState withLostTask(String taskArn) {
        List<UnconfirmedStop> all = unconfirmedStops.stream()
                .map(one -> one.taskArn().equals(taskArn) ? new UnconfirmedStop(one.epoch(), taskArn, true) : one)
                .toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, all, recentDeaths, deaths, requestedAt, memory);
    }

    /** The task is proven dead. */
    WorkerState withConfirmedStop(String taskArn) {
        List<UnconfirmedStop> others = unconfirmedStops.stream()
                .filter(worker -> !worker.taskArn().equals(taskArn))
                .toList();
        return new WorkerState(
                userId, desired, status, epoch, raised, accounts, others, recentDeaths, deaths, requestedAt, memory);
    }

    WorkerState with(WorkerMemory now) {
        return new WorkerState(
                userId,
                desired,
                status,
                epoch,
                raised,
                accounts,
                unconfirmedStops,
                recentDeaths,
                deaths,
                requestedAt,
                now);
    }
}
