package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerMemory.Requests;
import dev.berth.workflows.worker.WorkerMemory.StartAttempts;
import dev.berth.workflows.worker.WorkerMemory.TaskEvents;
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
        return state.memory().requests();
    }

    TaskEvents tasks() {
        return state.memory().tasks();
    }

    StartAttempts starts() {
        return state.memory().starts();
    }

    SessionAttempts sessions() {
        return state.memory().sessions();
    }

    HealthRecord health() {
        return state.memory().health();
    }

    @Nullable
    HandOver handOver() {
        return state.memory().handOver();
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

    void remember(UnaryOperator<WorkerMemory> change) {
        state = state.with(change.apply(state.memory()));
    }

    void updateRequests(UnaryOperator<Requests> change) {
        remember(memory -> memory.with(change.apply(memory.requests())));
    }

    void updateTasks(UnaryOperator<TaskEvents> change) {
        remember(memory -> memory.with(change.apply(memory.tasks())));
    }

    void updateStarts(UnaryOperator<StartAttempts> change) {
        remember(memory -> memory.with(change.apply(memory.starts())));
    }

    void updateSessions(UnaryOperator<SessionAttempts> change) {
        remember(memory -> memory.with(change.apply(memory.sessions())));
    }

    void updateHealth(UnaryOperator<HealthRecord> change) {
        remember(memory -> memory.with(change.apply(memory.health())));
    }

    void updateHandOver(UnaryOperator<@Nullable HandOver> change) {
        remember(memory -> memory.with(change.apply(memory.handOver())));
    }

    /** Goes to another state, and shows it to the operator. */
    void become(WorkerStatus next) {
        WorkerPhase before = state.phase();
        if (state.status() instanceof WorkerStatus.Active active) {
            updateSessions(sessions -> sessions.withActiveReason(active.reason()));
        }
        WorkerMetrics.record(state, next, now());
        state = state.in(next);
        if (state.phase() != before) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.WORKER_STATE.valueSet(state.phase().name()),
                    BerthSearchAttributes.WORKER_STATE_SINCE.valueSet(now().atOffset(ZoneOffset.UTC)));
        }
        if (isAttentionOutdated()) {
            showAttention();
        }
        Workflow.setCurrentDetails(WorkerDetails.of(state, Workflow.getInfo().getNamespace(), now()));
    }

    /** Active as before the health check, or before the request to close. */
    void resumeActive() {
        become(new WorkerStatus.Active(now(), live(), sessions().activeReason()));
    }

    void suspectDeath(String reason) {
        updateHealth(health -> health.death() == null ? health.withDeath(reason) : health);
    }

    boolean isAttentionOutdated() {
        return state.isCrashLooping(now()) != state.memory().attentionShown();
    }

    /** Calls for a person while too many workers die, and no longer. */
    void showAttention() {
        boolean calls = state.isCrashLooping(now());
        remember(memory -> memory.withAttentionShown(calls));
        Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(calls));
    }

    /** When the deaths that call for a person lie long enough back; null when none do. */
    @Nullable
    Instant attentionEndsAt() {
        return state.memory().attentionShown()
                ? state.recentDeaths().getLast().plus(WorkerPolicies.DEATHS_WITHIN)
                : null;
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

    static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }

    /** Null stands for never. */
    static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
