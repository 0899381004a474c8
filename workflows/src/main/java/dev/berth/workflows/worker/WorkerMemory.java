package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a lifecycle remembers beside the state that it shows: a new run goes on where the run before
 * ended. Every list is bounded, and what holds nothing is not written.
 *
 * @param notice what was published to admission; absent when it has to be published again
 * @param attentionShown whether the search attribute calls for a person
 * @param handOver the current process is to be replaced by another; absent when it is not
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record WorkerMemory(
        Requests requests,
        TaskEvents tasks,
        StartAttempts starts,
        SessionAttempts sessions,
        HealthRecord health,
        @Nullable Notice notice,
        boolean attentionShown,
        @Nullable HandOver handOver) {
    static final WorkerMemory NONE = new WorkerMemory(
            Requests.NONE,
            TaskEvents.NONE,
            StartAttempts.NONE,
            SessionAttempts.NONE,
            HealthRecord.NONE,
            null,
            false,
            null);

    /** Parts that hold nothing may be absent. */
    public WorkerMemory {
        requests = Objects.requireNonNullElse(requests, Requests.NONE);
        tasks = Objects.requireNonNullElse(tasks, TaskEvents.NONE);
        starts = Objects.requireNonNullElse(starts, StartAttempts.NONE);
        sessions = Objects.requireNonNullElse(sessions, SessionAttempts.NONE);
        health = Objects.requireNonNullElse(health, HealthRecord.NONE);
    }

    WorkerMemory with(Requests now) {
        return new WorkerMemory(now, tasks, starts, sessions, health, notice, attentionShown, handOver);
    }

    WorkerMemory with(TaskEvents now) {
        return new WorkerMemory(requests, now, starts, sessions, health, notice, attentionShown, handOver);
    }

    WorkerMemory with(StartAttempts now) {
        return new WorkerMemory(requests, tasks, now, sessions, health, notice, attentionShown, handOver);
    }

    WorkerMemory with(SessionAttempts now) {
        return new WorkerMemory(requests, tasks, starts, now, health, notice, attentionShown, handOver);
    }

    WorkerMemory with(HealthRecord now) {
        return new WorkerMemory(requests, tasks, starts, sessions, now, notice, attentionShown, handOver);
    }

    WorkerMemory withNotice(@Nullable Notice now) {
        return new WorkerMemory(requests, tasks, starts, sessions, health, now, attentionShown, handOver);
    }

    WorkerMemory withAttentionShown(boolean now) {
        return new WorkerMemory(requests, tasks, starts, sessions, health, notice, now, handOver);
    }

    WorkerMemory with(@Nullable HandOver now) {
        return new WorkerMemory(requests, tasks, starts, sessions, health, notice, attentionShown, now);
    }

    /** What was published of the user's availability, and when. */
    public record Notice(WorkerAvailability availability, Instant publishedAt) {}

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
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record Requests(
            int signals,
            boolean needed,
            boolean startForced,
            boolean startRequestedWhileConnecting,
            boolean stopRequested,
            long idleEpoch,
            @Nullable UnconfirmedStop unexpectedTask) {
        static final Requests NONE = new Requests(0, false, false, false, false, 0, null);

        Requests oneMoreSignal() {
            return new Requests(
                    signals + 1,
                    needed,
                    startForced,
                    startRequestedWhileConnecting,
                    stopRequested,
                    idleEpoch,
                    unexpectedTask);
        }

        Requests inNewRun() {
            return new Requests(
                    0, needed, startForced, startRequestedWhileConnecting, stopRequested, idleEpoch, unexpectedTask);
        }

        Requests need() {
            return new Requests(
                    signals,
                    true,
                    startForced,
                    startRequestedWhileConnecting,
                    stopRequested,
                    idleEpoch,
                    unexpectedTask);
        }

        Requests forceStart() {
            return new Requests(
                    signals, needed, true, startRequestedWhileConnecting, stopRequested, idleEpoch, unexpectedTask);
        }

        Requests startWhileConnecting(boolean requested) {
            return new Requests(signals, needed, startForced, requested, stopRequested, idleEpoch, unexpectedTask);
        }

        /** A start answers every need before it. */
        Requests started() {
            return new Requests(
                    signals, false, false, startRequestedWhileConnecting, stopRequested, idleEpoch, unexpectedTask);
        }

        Requests withStop(boolean requested) {
            return new Requests(
                    signals, needed, startForced, startRequestedWhileConnecting, requested, idleEpoch, unexpectedTask);
        }

        Requests withIdle(long epoch) {
            return new Requests(
                    signals, needed, startForced, startRequestedWhileConnecting, stopRequested, epoch, unexpectedTask);
        }

        Requests withUnexpectedTask(@Nullable UnconfirmedStop task) {
            return new Requests(
                    signals, needed, startForced, startRequestedWhileConnecting, stopRequested, idleEpoch, task);
        }
    }

    /**
     * What events and processes reported of tasks, the newest of each.
     *
     * @param stopped tasks that ECS has proven to be stopped
     * @param reported stops of tasks that the lifecycle did not know yet
     * @param attached processes that reported that they serve the user
     */
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record TaskEvents(List<String> stopped, List<ReportedStop> reported, List<WorkerProcess> attached) {
        private static final int KEPT = 20;
        static final TaskEvents NONE = new TaskEvents(List.of(), List.of(), List.of());

        /** A task that stopped, as an event reports. */
        public record ReportedStop(String taskArn, String reason) {}

        public TaskEvents {
            stopped = stopped == null ? List.of() : List.copyOf(stopped);
            reported = reported == null ? List.of() : List.copyOf(reported);
            attached = attached == null ? List.of() : List.copyOf(attached);
        }

        TaskEvents withStopped(String taskArn) {
            return new TaskEvents(newest(stopped, taskArn, Function.identity()), reported, attached);
        }

        TaskEvents withReported(String taskArn, String reason) {
            return new TaskEvents(
                    stopped, newest(reported, new ReportedStop(taskArn, reason), ReportedStop::taskArn), attached);
        }

        TaskEvents withoutReported(String taskArn) {
            List<ReportedStop> others = reported.stream()
                    .filter(stop -> !stop.taskArn().equals(taskArn))
                    .toList();
            return new TaskEvents(stopped, others, attached);
        }

        TaskEvents withAttached(WorkerProcess process) {
            return new TaskEvents(stopped, reported, newest(attached, process, WorkerProcess::taskArn));
        }

        TaskEvents withoutAttached() {
            return new TaskEvents(stopped, reported, List.of());
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
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record StartAttempts(
            boolean hasWorkingOrders,
            @Nullable Instant requestedAt,
            int failures,
            int crashPauses,
            @Nullable UserGroup group) {
        static final StartAttempts NONE = new StartAttempts(false, null, 0, 0, null);

        StartAttempts withWorkingOrders() {
            return new StartAttempts(true, requestedAt, failures, crashPauses, group);
        }

        StartAttempts withRequestedAt(@Nullable Instant time) {
            return new StartAttempts(hasWorkingOrders, time, failures, crashPauses, group);
        }

        StartAttempts failed() {
            return new StartAttempts(hasWorkingOrders, requestedAt, failures + 1, crashPauses, group);
        }

        StartAttempts succeeded() {
            return new StartAttempts(false, requestedAt, 0, crashPauses, group);
        }

        StartAttempts withCrashPauses(int pauses) {
            return new StartAttempts(hasWorkingOrders, requestedAt, failures, pauses, group);
        }

        StartAttempts of(@Nullable UserGroup userGroup) {
            return new StartAttempts(hasWorkingOrders, requestedAt, failures, crashPauses, userGroup);
        }
    }
}
