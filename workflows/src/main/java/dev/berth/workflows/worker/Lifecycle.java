package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.worker.WorkerState.Requests;
import dev.berth.workflows.worker.WorkerState.StartAttempts;
import dev.berth.workflows.worker.WorkerState.TaskEvents;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The one holder of a lifecycle's state, which its signals and its steps replace as a whole. */
final class Lifecycle {
    private WorkerState state;
    private final CancellationScope run = CancellationScope.current();

    Lifecycle(WorkerState state) {
        this.state = state;
    }

    WorkerState state() {
        return state;
    }

    UserId userId() {
        return state.userId();
    }

    WorkerStatus status() {
        return state.status();
    }

    Requests requests() {
        return state.requests();
    }

    TaskEvents tasks() {
        return state.tasks();
    }

    StartAttempts starts() {
        return state.starts();
    }

    SessionAttempts sessions() {
        return state.sessions();
    }

    HealthRecord health() {
        return state.health();
    }

    @Nullable
    HandOver handOver() {
        return state.handOver();
    }

    /** The process, in a state that has one. */
    LiveWorker live() {
        return Objects.requireNonNull(state.status().worker(), "no process");
    }

    boolean isCurrent(String taskArn) {
        WorkerProcess process = state.process();
        return process != null && process.taskArn().equals(taskArn);
    }

    void update(UnaryOperator<WorkerState> change) {
        state = change.apply(state);
    }

    void updateRequests(UnaryOperator<Requests> change) {
        update(now -> now.withRequests(change.apply(now.requests())));
    }

    void updateTasks(UnaryOperator<TaskEvents> change) {
        update(now -> now.withTasks(change.apply(now.tasks())));
    }

    void updateStarts(UnaryOperator<StartAttempts> change) {
        update(now -> now.withStarts(change.apply(now.starts())));
    }

    void updateSessions(UnaryOperator<SessionAttempts> change) {
        update(now -> now.withSessions(change.apply(now.sessions())));
    }

    void updateHealth(UnaryOperator<HealthRecord> change) {
        update(now -> now.withHealth(change.apply(now.health())));
    }

    void updateHandOver(UnaryOperator<@Nullable HandOver> change) {
        update(now -> now.withHandOver(change.apply(now.handOver())));
    }

    /** Goes to another state, and shows it to the operator. */
    void become(WorkerStatus next) {
        WorkerPhase before = state.phase();
        if (state.status() instanceof WorkerStatus.Active active) {
            updateSessions(sessions -> sessions.withActiveReason(active.reason()));
        }
        WorkerMetrics.record(state, next, WorkflowTasks.now());
        state = state.in(next);
        if (state.phase() != before) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.WORKER_STATE.valueSet(state.phase().name()),
                    BerthSearchAttributes.WORKER_STATE_SINCE.valueSet(
                            WorkflowTasks.now().atOffset(ZoneOffset.UTC)));
        }
        if (isAttentionOutdated()) {
            showAttention();
        }
        Workflow.setCurrentDetails(WorkerDetails.of(state, Workflow.getInfo().getNamespace(), WorkflowTasks.now()));
    }

    /** Active as before the health check, or before the request to close. */
    void resumeActive() {
        become(new WorkerStatus.Active(WorkflowTasks.now(), live(), sessions().activeReason()));
    }

    void suspectDeath(String reason) {
        updateHealth(health -> health.death() == null ? health.withDeath(reason) : health);
    }

    boolean isAttentionOutdated() {
        return state.isCrashLooping(WorkflowTasks.now()) != state.attentionShown();
    }

    /** Calls for a person while too many workers die, and no longer. */
    void showAttention() {
        boolean calls = state.isCrashLooping(WorkflowTasks.now());
        update(now -> now.withAttentionShown(calls));
        Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(calls));
    }

    @Nullable
    Instant attentionDueAt(Instant now) {
        return isAttentionOutdated() ? now : state.crashLoopEndsAt(now);
    }

    /**
     * A run that was canceled closes where it would continue as new: it goes on until nothing is
     * lost by that.
     */
    boolean isRunLong() {
        WorkflowInfo info = Workflow.getInfo();
        return Workflow.isEveryHandlerFinished()
                && (!run.isCancelRequested() || state.unconfirmedStops().isEmpty())
                && (requests().signals() >= WorkerPolicies.SIGNALS_PER_RUN
                        || info.isContinueAsNewSuggested()
                        || info.getHistoryLength() >= WorkerPolicies.EVENTS_PER_RUN);
    }

    void continueAsNew() {
        updateRequests(Requests::inNewRun);
        Workflow.continueAsNew(state);
    }
}
