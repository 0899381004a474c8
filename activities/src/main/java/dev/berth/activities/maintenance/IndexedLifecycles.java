package dev.berth.activities.maintenance;

import static dev.berth.activities.RunningWorkflows.LIFECYCLES;
import static dev.berth.activities.RunningWorkflows.LIFECYCLES_ENDED;

import dev.berth.activities.IndexedKeyword;
import dev.berth.activities.RunningWorkflows;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Lifecycles by Temporal's index. */
final class IndexedLifecycles implements LifecycleList {
    private static final String CHANGED = BerthSearchAttributes.WORKER_STATE_SINCE.getName();

    private final RunningWorkflows index;
    private final IndexedKeyword<WorkerPhase> phases =
            new IndexedKeyword<>(BerthSearchAttributes.WORKER_STATE, WorkerPhase.class);

    IndexedLifecycles(RunningWorkflows index) {
        this.index = index;
    }

    @Override
    public long count() {
        return index.count(LIFECYCLES);
    }

    @Override
    public Map<UserId, WorkerPhase> all() {
        return states(LIFECYCLES);
    }

    /** Two queries, as the index is of no help to one that has an {@code OR}. */
    @Override
    public Map<UserId, WorkerPhase> changed(Instant since) {
        Map<UserId, WorkerPhase> changed = states(LIFECYCLES + from("StartTime", since));
        changed.putAll(states(LIFECYCLES + from(CHANGED, since)));
        return changed;
    }

    @Override
    public Set<UserId> ended(Instant since) {
        return states(LIFECYCLES_ENDED + from("CloseTime", since)).keySet();
    }

    private static String from(String time, Instant since) {
        return " AND %s >= '%s'".formatted(time, since);
    }

    private Map<UserId, WorkerPhase> states(String query) {
        Map<UserId, WorkerPhase> states = new HashMap<>();
        index.each(
                query,
                found -> WorkflowIds.userOfWorker(found.getExecution().getWorkflowId())
                        .ifPresent(user -> states.put(user, phases.of(found).orElse(WorkerPhase.TERMINATED))));
        return states;
    }
}
