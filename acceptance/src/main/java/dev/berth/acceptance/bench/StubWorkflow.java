package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.common.converter.EncodedValues;
import io.temporal.workflow.DynamicQueryHandler;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;

/**
 * Replaces a lifecycle or an order: answers each query with its argument, ignores signals and never
 * ends. Public, as Temporal requires.
 */
public final class StubWorkflow implements DynamicWorkflow {
    static final String QUEUE = "bench-stand-ins";

    /** Called by Temporal for each run. */
    public StubWorkflow() {}

    @Override
    public Object execute(EncodedValues arguments) {
        JsonNode state = arguments.get(0, JsonNode.class);
        DynamicQueryHandler answer = (_, _) -> state;
        DynamicSignalHandler ignore = (_, _) -> {};
        Workflow.registerListener(answer);
        Workflow.registerListener(ignore);
        Workflow.await(() -> false);
        return state;
    }
}
