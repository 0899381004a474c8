package dev.berth.workflows.maintenance;

/** The kinds of drift. A rule detects and heals each kind. */
public enum DriftKind {
    /** A heartbeat key names a task that stopped, or that ECS does not know. */
    HEARTBEAT_WITHOUT_TASK("heartbeat without task", false),
    /** A user's task runs without a heartbeat, and the lifecycle does not expect the task. */
    TASK_WITHOUT_HEARTBEAT("task without heartbeat", true),
    /**
     * The lifecycle expects a worker that has no heartbeat: the worker is frozen, or stopped
     * without an event.
     */
    FROZEN_WORKER("frozen worker", true),
    /** A second task of a user whose heartbeat names another task. */
    DUPLICATE_TASK("duplicate task", true),
    /** A task without a user that is not in the pool. */
    UNOWNED_TASK("task without owner", true),
    /** An open order whose user has no worker. */
    ORDER_WITHOUT_WORKER("order without worker", false),
    /** An open order whose workflow was deleted or terminated, failed or timed out. */
    ORDER_WITHOUT_WORKFLOW("order without workflow", false),
    /** A suspended user whose lifecycle does not know of the suspension. */
    SUSPENDED_WORKER("suspended user's worker", false),
    /** A live worker whose lifecycle does not run. */
    MISSING_LIFECYCLE("worker without lifecycle", false),
    /** A live worker whose lifecycle is stopped and expects none. */
    UNWANTED_WORKER("unwanted worker", true);

    private final String text;
    private final boolean mayStop;

    DriftKind(String text, boolean mayStop) {
        this.text = text;
        this.mayStop = mayStop;
    }

    public String text() {
        return text;
    }

    /** Whether healing may stop a process, which the stop budget limits. */
    public boolean mayStop() {
        return mayStop;
    }
}
