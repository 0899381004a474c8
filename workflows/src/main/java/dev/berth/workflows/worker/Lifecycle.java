package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Changes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.Waiting;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of one lifecycle, as its signals and its steps share it. */
final class Lifecycle {
    private static final int STOPPED_TASKS_KEPT = 20;
    /** Names a change of this code in histories. */
    private static final String CALMS_AT_REST = "calms-at-rest";

    private static final String ENDS_RUNS_IN_TIME = "ends-runs-in-time";

    private final WorkerMarks marks = Workflow.newLocalActivityStub(WorkerMarks.class, WorkerPolicies.quick());
    private final SequencedSet<String> stoppedTasks = new LinkedHashSet<>();
    private final boolean endsRunsInTime = Changes.isMade(ENDS_RUNS_IN_TIME);
    private WorkerState worker;
    private @Nullable Death death;
    /** Who said last that it serves the user. */
    private @Nullable WorkerProcess attached;
    /** Why an account that is needed has no session, as the active worker's state said last. */
    private @Nullable String activeReason;
    /** Null: what the run before showed is not known. */
    private @Nullable Boolean attention;

    Lifecycle(WorkerState worker) {
        this.worker = worker;
        this.attention = (isFirstRun() || !calmsAtRest()) ? false : null;
    }

    private static boolean isFirstRun() {
        return Workflow.getInfo().getContinuedExecutionRunId().isEmpty();
    }

    static boolean calmsAtRest() {
        return Changes.isMade(CALMS_AT_REST);
    }

    /**
     * That the current process is gone.
     *
     * @param isProven ECS says so; else it may still live
     */
    record Death(String reason, boolean isProven) {}

    WorkerState worker() {
        return worker;
    }

    UserId userId() {
        return worker.userId();
    }

    /** The process, in a state that has one. */
    LiveWorker live() {
        return Objects.requireNonNull(worker.status().worker(), "no process");
    }

    void put(WorkerState next) {
        worker = next;
    }

    /** Goes to another state, and shows it to the operator. */
    void become(WorkerStatus next) {
        WorkerPhase before = worker.phase();
        if (worker.status() instanceof WorkerStatus.Active active) {
            activeReason = active.reason();
        }
        worker = worker.in(next);
        if (worker.phase() != before) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.WORKER_STATE.valueSet(worker.phase().name()),
                    BerthSearchAttributes.WORKER_STATE_SINCE.valueSet(now().atOffset(ZoneOffset.UTC)));
        }
        showAttention();
        Workflow.setCurrentDetails(WorkerDetails.of(worker, Workflow.getInfo().getNamespace(), now()));
    }

    /** It is active as it was before somebody doubted it, or asked it to close. */
    void goOn() {
        become(new WorkerStatus.Active(now(), live(), activeReason));
    }

    /** Calls for a person while too many die, and no longer. */
    void showAttention() {
        boolean calls = worker.isCrashLooping(now());
        if (attention == null || calls != attention) {
            attention = calls;
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(calls));
        }
    }

    /** When the deaths that call for a person lie long enough back; null when none do. */
    @Nullable
    Instant calmAt() {
        return Boolean.TRUE.equals(attention)
                ? worker.recentDeaths().getLast().plus(WorkerPolicies.DEATHS_WITHIN)
                : null;
    }

    /** What was said of the process before is no news of the next one. */
    void connecting(LiveWorker next, int attempt, @Nullable String reason) {
        if (attempt == 1) {
            String taskArn = next.process().taskArn();
            death = hasStopped(taskArn) ? new Death("it stopped at once", true) : null;
        }
        Instant deadline = now().plus(WorkerPolicies.OPEN_SESSION);
        become(new WorkerStatus.Connecting(now(), deadline, next, attempt, reason));
    }

    /** Raises the user's epoch: no process with an earlier one can claim or renew its mark from now on. */
    void raiseEpoch() {
        long next = worker.raised() + 1;
        for (long stored = marks.raiseEpoch(userId(), next); stored > next; ) {
            next = stored + 1;
            stored = marks.raiseEpoch(userId(), next);
        }
        worker = worker.raised(next);
    }

    /** The epoch that Redis knows; 0 when it knows none. */
    long storedEpoch() {
        return marks.raiseEpoch(userId(), 0);
    }

    /** Puts back what Redis lost. */
    void restoreEpoch() {
        // Asked first: what is said meanwhile must not be overwritten by the state of before.
        long stored = marks.raiseEpoch(userId(), worker.raised());
        worker = worker.raised(stored);
    }

    /** Puts back what Redis lost of an epoch that no process has; another one if somebody raised it since. */
    void keepEpoch() {
        long mine = worker.raised();
        restoreEpoch();
        if (worker.raised() > mine) {
            raiseEpoch();
        }
    }

    /** No process may take this epoch any more; one that took it late has its mark removed. */
    void voidEpoch() {
        raiseEpoch();
        clearMark();
    }

    WorkerMarks.Mark mark() {
        return marks.look(userId());
    }

    /** Removes the mark of the current epoch's process, which is gone, so that it does not keep its successor out. */
    void clearMark() {
        marks.clear(userId(), worker.epoch());
    }

    @Nullable
    Death death() {
        return death;
    }

    void suspectDeath(String reason) {
        if (death == null) {
            death = new Death(reason, false);
        }
    }

    /** What a process says that was given up takes nothing from the word of the next. */
    void attached(WorkerProcess process) {
        if (process.epoch() >= worker.epoch()) {
            attached = process;
        }
    }

    /** The process that said that it serves the user with the current epoch; null when none has. */
    @Nullable
    WorkerProcess attached() {
        return attached != null && attached.epoch() == worker.epoch() ? attached : null;
    }

    /** ECS says that the task stopped. */
    void stopped(String taskArn, String reason) {
        stoppedTasks.remove(taskArn);
        stoppedTasks.addLast(taskArn);
        if (stoppedTasks.size() > STOPPED_TASKS_KEPT) {
            stoppedTasks.removeFirst();
        }
        worker = worker.proven(taskArn);
        WorkerProcess process = worker.process();
        if (process != null && process.taskArn().equals(taskArn)) {
            death = new Death(reason, true);
        }
    }

    /** Whether ECS said that the task stopped; that may come before the answer of the call that started it. */
    boolean hasStopped(String taskArn) {
        return stoppedTasks.contains(taskArn);
    }

    boolean isLong(Inbox inbox) {
        WorkflowInfo run = Workflow.getInfo();
        return inbox.isFull()
                || run.isContinueAsNewSuggested()
                || (endsRunsInTime && run.getHistoryLength() >= WorkerPolicies.EVENTS_PER_RUN);
    }

    /** Waits for the condition, and for the time if there is one. */
    void awaitUntil(@Nullable Instant time, String summary, Supplier<Boolean> condition) {
        if (time == null) {
            Workflow.await(condition);
        } else if (time.isAfter(now())) {
            Waiting.until(Duration.between(now(), time), summary, condition);
        }
    }

    static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }
}
