package dev.berth.workflows;

import io.temporal.workflow.Workflow;

/** Changes of workflow code, each known in histories by its name. */
public final class Changes {
    private Changes() {}

    /** False in a run that came by here before the change: it does as it did, so that its history replays. */
    public static boolean isMade(String change) {
        return Workflow.getVersion(change, Workflow.DEFAULT_VERSION, 1) > Workflow.DEFAULT_VERSION;
    }
}
