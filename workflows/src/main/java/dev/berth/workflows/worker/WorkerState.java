package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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
 * @param requests signals that were not acted on yet
 * @param tasks what events and processes reported of tasks
 * @param starts those that failed
 * @param sessions what they wait for
 * @param health what is known of the life of the current process
 * @param notice what was published to admission; absent when it has to be published again
 * @param attentionShown whether the search attribute calls for a person
 * @param handOver the current process is to be replaced by another; absent when it is not
 */
@RecordBuilder
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
        Requests requests,
        TaskEvents tasks,
        StartAttempts starts,
        SessionAttempts sessions,
        HealthRecord health,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @Nullable
        Notice notice,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean attentionShown,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @Nullable
        HandOver handOver)
        implements WorkerStateBuilder.With {
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

    /** What was published of the user's availability, and when. */
    public record Notice(WorkerAvailability availability, Instant publishedAt) {}

    /** Parts that hold nothing may be absent. */
    public WorkerState {
        accounts = List.copyOf(accounts);
        unconfirmedStops = List.copyOf(unconfirmedStops);
        recentDeaths = List.copyOf(recentDeaths);
        requests = Objects.requireNonNullElse(requests, Requests.NONE);
        tasks = Objects.requireNonNullElse(tasks, TaskEvents.NONE);
        starts = Objects.requireNonNullElse(starts, StartAttempts.NONE);
        sessions = Objects.requireNonNullElse(sessions, SessionAttempts.NONE);
        health = Objects.requireNonNullElse(health, HealthRecord.NONE);
    }

    public static WorkerState none(UserId userId) {
        return WorkerStateBuilder.builder()
                .userId(userId)
                .desired(DesiredState.NOTHING)
                .status(new WorkerStatus.Terminated(Instant.EPOCH, null))
                .accounts(List.of())
                .unconfirmedStops(List.of())
                .recentDeaths(List.of())
                .build();
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

    /** When enough of the deaths lie long enough back; null when no person should look. */
    @Nullable
    Instant crashLoopEndsAt(Instant now) {
        return isCrashLooping(now)
                ? recentDeaths
                        .get(recentDeaths.size() - WorkerPolicies.DEATHS - 1)
                        .plus(WorkerPolicies.DEATHS_WITHIN)
                : null;
    }

    private static Predicate<Instant> within(Instant now) {
        return death -> death.isAfter(now.minus(WorkerPolicies.DEATHS_WITHIN));
    }

    /** A status without a process forgets the death of the last one. */
    WorkerState in(WorkerStatus next) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException("a worker does not go from " + status + " to " + next);
        }
        WorkerState changed = withStatus(next);
        return next.worker() == null ? changed.withHealth(health.withDeath(null)) : changed;
    }

    /** The account is first from now on; the last one makes room for it, and is forgotten. */
    WorkerState needing(AccountKey account) {
        List<AccountKey> all =
                Stream.concat(Stream.of(account), accounts.stream()).distinct().toList();
        int kept = Math.min(all.size(), MAX_ACCOUNTS);
        return withAccounts(all.subList(0, kept)).withSessions(sessions.without(all.subList(kept, all.size())));
    }

    /** From now on the highest epoch is the current worker's. */
    WorkerState requested(Instant at) {
        return withEpoch(raised).withRequestedAt(at);
    }

    WorkerState died(Instant at) {
        List<Instant> recent = Stream.concat(recentDeaths.stream().filter(within(at)), Stream.of(at))
                .toList();
        return withRecentDeaths(recent).withDeaths(deaths + 1);
    }

    WorkerState withUnconfirmedStop(UnconfirmedStop worker) {
        return withUnconfirmedStops(Stream.concat(unconfirmedStops.stream(), Stream.of(worker))
                .distinct()
                .toList());
    }

    /** ECS says nothing more of the task. */
    WorkerState withLostTask(String taskArn) {
        return withUnconfirmedStops(unconfirmedStops.stream()
                .map(one -> one.taskArn().equals(taskArn) ? new UnconfirmedStop(one.epoch(), taskArn, true) : one)
                .toList());
    }

    /** The task is proven dead. */
    WorkerState withConfirmedStop(String taskArn) {
        return withUnconfirmedStops(unconfirmedStops.stream()
                .filter(worker -> !worker.taskArn().equals(taskArn))
                .toList());
    }

    /**
     * Signals that were not acted on yet.
     *
     * @param signals how many came in this run
     * @param needed an order or a person needed the worker since the last start
     * @param startForced start now, whatever holds a start back
     * @param startRequestedWhileConnecting force a start if the one under way comes to nothing
     * @param stopRequested a stop or a suspension that may concern a process of an earlier
     *     lifecycle
     * @param idleEpoch of the worker that reported itself idle; 0 without a report
     * @param unexpectedTask a worker that lives, and that this lifecycle does not know
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record Requests(
            int signals,
            boolean needed,
            boolean startForced,
            boolean startRequestedWhileConnecting,
            boolean stopRequested,
            long idleEpoch,
            @Nullable UnconfirmedStop unexpectedTask)
            implements WorkerStateRequestsBuilder.With {
        static final Requests NONE = new Requests(0, false, false, false, false, 0, null);

        Requests oneMoreSignal() {
            return withSignals(signals + 1);
        }

        Requests inNewRun() {
            return withSignals(0);
        }

        Requests need() {
            return withNeeded(true);
        }

        Requests forceStart() {
            return withStartForced(true);
        }

        /** A start answers every need before it. */
        Requests started() {
            return withNeeded(false).withStartForced(false);
        }
    }

    /**
     * What events and processes reported of tasks, the newest of each.
     *
     * @param stopped tasks that ECS has proven to be stopped
     * @param reported stops of tasks that the lifecycle did not know yet
     * @param attached processes that reported that they serve the user
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record TaskEvents(List<String> stopped, List<ReportedStop> reported, List<WorkerProcess> attached)
            implements WorkerStateTaskEventsBuilder.With {
        private static final int KEPT = 20;
        static final TaskEvents NONE = new TaskEvents(List.of(), List.of(), List.of());

        /** A task that stopped, as an event reports. */
        public record ReportedStop(String taskArn, String reason) {}

        public TaskEvents {
            stopped = stopped == null ? List.of() : List.copyOf(stopped);
            reported = reported == null ? List.of() : List.copyOf(reported);
            attached = attached == null ? List.of() : List.copyOf(attached);
        }

        TaskEvents addStopped(String taskArn) {
            return withStopped(newest(stopped, taskArn, Function.identity()));
        }

        TaskEvents addReported(String taskArn, String reason) {
            return withReported(newest(reported, new ReportedStop(taskArn, reason), ReportedStop::taskArn));
        }

        TaskEvents withoutReported(String taskArn) {
            return withReported(reported.stream()
                    .filter(stop -> !stop.taskArn().equals(taskArn))
                    .toList());
        }

        TaskEvents addAttached(WorkerProcess process) {
            return withAttached(newest(attached, process, WorkerProcess::taskArn));
        }

        TaskEvents withoutAttached() {
            return withAttached(List.of());
        }

        private static <T> List<T> newest(List<T> known, T more, Function<T, String> taskArn) {
            List<T> all = new ArrayList<>(known);
            all.removeIf(one -> taskArn.apply(one).equals(taskArn.apply(more)));
            all.add(more);
            return all.subList(Math.max(0, all.size() - KEPT), all.size());
        }
    }

    /**
     * Starts that failed.
     *
     * @param hasWorkingOrders the launch goes before launches of users without working orders
     * @param requestedAt when the worker was asked for that no launch could start; the request
     *     still stands
     * @param failures failed launches, one after the other
     * @param crashPauses pauses after too many deaths, one after the other
     * @param group whose share of the launches counts; null for the default group
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record StartAttempts(
            boolean hasWorkingOrders,
            @Nullable Instant requestedAt,
            int failures,
            int crashPauses,
            @Nullable UserGroup group)
            implements WorkerStateStartAttemptsBuilder.With {
        static final StartAttempts NONE = new StartAttempts(false, null, 0, 0, null);

        StartAttempts failed() {
            return withFailures(failures + 1);
        }

        StartAttempts succeeded() {
            return withHasWorkingOrders(false).withFailures(0);
        }
    }
}
