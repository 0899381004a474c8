package dev.berth.temporal.client;

import dev.berth.temporal.client.Visibility.Attribute;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerPhase;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.client.WorkflowClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lifecycles by Temporal's visibility, which is a moment late. */
public final class LifecycleIndex implements KnownLifecycles.Index {
    static final String RUNNING =
            "WorkflowType = '" + WorkerLifecycleWorkflow.TYPE + "' AND ExecutionStatus = 'Running'";
    /** Without the runs that continued as new. */
    private static final String CLOSED = "WorkflowType = '" + WorkerLifecycleWorkflow.TYPE
            + "' AND ExecutionStatus IN ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut')";

    private static final String CRASH_LOOPING =
            RUNNING + " AND " + BerthSearchAttributes.ATTENTION.getName() + " = true";

    private final Visibility visibility;
    private final Attribute<WorkerPhase> phase = new Attribute<>(BerthSearchAttributes.WORKER_STATE, WorkerPhase.class);
    private final Attribute<Boolean> attention = new Attribute<>(BerthSearchAttributes.ATTENTION, Boolean.class);

    public LifecycleIndex(WorkflowClient temporal) {
        this.visibility = new Visibility(temporal);
    }

    private static String inPhase(WorkerPhase phase) {
        return RUNNING + " AND " + BerthSearchAttributes.WORKER_STATE.getName() + " = '" + phase + "'";
    }

    @Override
    public long count() {
        return visibility.count(RUNNING);
    }

    @Override
    public Map<UserId, WorkerPhase> all() {
        return phases(RUNNING);
    }

    /** Makes two queries: the database cannot use its indexes for a query with an {@code OR}. */
    @Override
    public Map<UserId, WorkerPhase> changedSince(Instant time) {
        Map<UserId, WorkerPhase> changed = phases(RUNNING + since("StartTime", time));
        changed.putAll(phases(RUNNING + since(BerthSearchAttributes.WORKER_STATE_SINCE.getName(), time)));
        return changed;
    }

    @Override
    public Set<UserId> closedSince(Instant time) {
        return phases(CLOSED + since("CloseTime", time)).keySet();
    }

    private static String since(String attribute, Instant time) {
        return " AND %s >= '%s'".formatted(attribute, time);
    }

    private Map<UserId, WorkerPhase> phases(String query) {
        Map<UserId, WorkerPhase> phases = new HashMap<>();
        visibility.forEach(
                query,
                lifecycle -> WorkflowIds.userOfWorker(lifecycle.getExecution().getWorkflowId())
                        .ifPresent(user -> phases.put(user, phase(lifecycle))));
        return phases;
    }

    private WorkerPhase phase(WorkflowExecutionInfo lifecycle) {
        return phase.of(lifecycle).orElse(WorkerPhase.TERMINATED);
    }

    /**
     * A user's worker.
     *
     * @param isCrashLooping the worker dies too often
     * @param runSince start of the lifecycle's current run
     */
    public record WorkerRow(UserId userId, WorkerPhase phase, boolean isCrashLooping, Instant runSince) {}

    /**
     * Lists the users who have, or had, a worker.
     *
     * @param phase only workers in this phase; null for all
     * @param cursor of an earlier page; null for the first page
     * @throws IllegalArgumentException when no earlier page gave this cursor
     */
    public Page<WorkerRow> workers(@Nullable WorkerPhase phase, int limit, @Nullable String cursor) {
        return page(phase == null ? RUNNING : inPhase(phase), limit, cursor);
    }

    /**
     * Lists the users whose worker dies too often.
     *
     * @param userId only this user; null for all
     * @param cursor of an earlier page; null for the first page
     * @throws IllegalArgumentException when no earlier page gave this cursor
     */
    public Page<WorkerRow> crashLooping(@Nullable UserId userId, int limit, @Nullable String cursor) {
        return page(userId == null ? CRASH_LOOPING : CRASH_LOOPING + Visibility.ofUser(userId), limit, cursor);
    }

    private Page<WorkerRow> page(String query, int limit, @Nullable String cursor) {
        Page<WorkflowExecutionInfo> page = visibility.page(query, limit, cursor);
        List<WorkerRow> rows = new ArrayList<>();
        for (WorkflowExecutionInfo lifecycle : page.items()) {
            WorkflowIds.userOfWorker(lifecycle.getExecution().getWorkflowId())
                    .ifPresent(user -> rows.add(new WorkerRow(
                            user,
                            phase(lifecycle),
                            attention.of(lifecycle).orElse(false),
                            Visibility.startTime(lifecycle))));
        }
        return new Page<>(rows, page.nextCursor());
    }

    /** All users whose worker dies too often. */
    public Set<UserId> crashLooping() {
        return phases(CRASH_LOOPING).keySet();
    }

    public long countCrashLooping() {
        return visibility.count(CRASH_LOOPING);
    }

    /** Without phases that no worker is in. */
    public Map<WorkerPhase, Long> countByPhase() {
        Map<WorkerPhase, Long> counts = new EnumMap<>(WorkerPhase.class);
        for (WorkerPhase phase : WorkerPhase.values()) {
            long count = visibility.count(inPhase(phase));
            if (count > 0) {
                counts.put(phase, count);
            }
        }
        return counts;
    }
}
