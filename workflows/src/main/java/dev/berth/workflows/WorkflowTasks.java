package dev.berth.workflows;

import io.temporal.workflow.Workflow;
import java.time.Instant;

/**
 * The workflow task that runs now, and whether something that a workflow began can be canceled
 * safely. A timer or an activity that is canceled in the workflow task that began it leaves no
 * event. When a local activity of that task caused the cancel, a replay still has the command to
 * begin it when it compares commands and events, since the local activity's marker comes later: the
 * workflow would fail in every further task.
 */
public final class WorkflowTasks {
    private WorkflowTasks() {}

    /** When the workflow task began, to the millisecond: a workflow's only clock. */
    public static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }

    /** The number of the workflow task that runs now, to be passed to {@link #isRecorded}. */
    public static int current() {
        return Math.toIntExact(Workflow.getInfo().getHistoryLength());
    }

    /** Whether the history has what the workflow began in that workflow task. */
    public static boolean isRecorded(int workflowTask) {
        return current() != workflowTask;
    }
}
