package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.common.converter.EncodedValues;
import io.temporal.workflow.DynamicQueryHandler;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;

/**
 * In place of a lifecycle or an order that nothing stands behind: it answers every query with the state that it was
 * started with, hears every signal, does nothing and never ends. Public, as Temporal needs it.
 */
public final class StandIn implements DynamicWorkflow {
    static final String QUEUE = "bench-stand-ins";

    /** One for each run. */
    public StandIn() {}

    @Override
    public Object execute(EncodedValues arguments) {
        JsonNode state = arguments.get(0, JsonNode.class);
        DynamicQueryHandler answer = (_, _) -> state;
        DynamicSignalHandler hear = (_, _) -> {};
        Workflow.registerListener(answer);
        Workflow.registerListener(hear);
        Workflow.await(() -> false);
        return state;
    }
}
