package dev.berth.workflows.order;

import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;

/**
 * How long an order's history was when something was written for it. A workflow task that was lost
 * wrote at an earlier position than the one that took its place, however late its write arrives.
 *
 * @param runId of the run; empty outside of one
 * @param length in events
 */
public record HistoryPosition(String runId, long length) {
    /** The position of a write that no workflow makes. */
    public static final HistoryPosition OUTSIDE = new HistoryPosition("", 0);

    /** The position of the workflow task that asks. */
    static HistoryPosition now() {
        WorkflowInfo run = Workflow.getInfo();
        return new HistoryPosition(run.getRunId(), run.getHistoryLength());
    }
}
