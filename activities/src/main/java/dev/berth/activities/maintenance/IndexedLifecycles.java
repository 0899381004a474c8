package dev.berth.activities.maintenance;

import static dev.berth.activities.RunningWorkflows.LIFECYCLES;
import static dev.berth.activities.RunningWorkflows.LIFECYCLES_ENDED;

import com.google.protobuf.ByteString;
import dev.berth.activities.RunningWorkflows;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerPhase;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lifecycles by Temporal's index. */
final class IndexedLifecycles implements LifecycleList {
    private static final String CHANGED = BerthSearchAttributes.WORKER_STATE_SINCE.getName();

    private final RunningWorkflows index;
    /** A handful of them stands in thousands of rows. */
    private final Map<ByteString, WorkerPhase> phases = new ConcurrentHashMap<>();

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
        Set<UserId> ended = new HashSet<>();
        index.each(
                LIFECYCLES_ENDED + from("CloseTime", since),
                found -> WorkflowIds.userOfWorker(found.getExecution().getWorkflowId())
                        .ifPresent(ended::add));
        return ended;
    }

    private static String from(String time, Instant since) {
        return " AND %s >= '%s'".formatted(time, since);
    }

    private Map<UserId, WorkerPhase> states(String query) {
        Map<UserId, WorkerPhase> states = new HashMap<>();
        index.each(
                query,
                found -> WorkflowIds.userOfWorker(found.getExecution().getWorkflowId())
                        .ifPresent(user -> states.put(user, phase(found))));
        return states;
    }

    private WorkerPhase phase(WorkflowExecutionInfo lifecycle) {
        Payload state =
                lifecycle.getSearchAttributes().getIndexedFieldsMap().get(BerthSearchAttributes.WORKER_STATE.getName());
        return state == null
                ? WorkerPhase.TERMINATED
                : phases.computeIfAbsent(
                        state.getData(),
                        _ -> WorkerPhase.valueOf(
                                DefaultDataConverter.STANDARD_INSTANCE.fromPayload(state, String.class, String.class)));
    }
}
