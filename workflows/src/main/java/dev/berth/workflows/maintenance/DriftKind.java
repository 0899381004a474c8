package dev.berth.workflows.maintenance;

/** The ways in which reality drifts from what Berth believes. Each has a class of this name with its rule. */
public enum DriftKind {
    /** A mark names a task that stopped, or that ECS does not know. */
    MARK_WITHOUT_TASK("mark without task", false),
    /** A user's task runs without a mark, and its lifecycle does not count on it. */
    TASK_WITHOUT_MARK("task without mark", true),
    /** The lifecycle counts on a worker that has no mark: it is frozen, or gone without a word. */
    FROZEN_WORKER("frozen worker", true),
    /** A second task of a user whose mark is another's. */
    DUPLICATE_TASK("duplicate task", true),
    /** A task of no user that is not in the pool either. */
    UNOWNED_TASK("task of nobody", true),
    /** An order waits, or works at the venue, and its user has no worker. */
    ORDER_WITHOUT_WORKER("order without worker", false),
    /** Somebody ended the workflow of an order that is open. */
    ORDER_WITHOUT_WORKFLOW("order without workflow", false),
    /** A live worker whose lifecycle does not run. */
    MISSING_LIFECYCLE("worker without lifecycle", false),
    /** A live worker whose lifecycle is at rest, and does not count on it. */
    UNWANTED_WORKER("worker that nobody wants", true);

    private final String words;
    private final boolean mayStop;

    DriftKind(String words, boolean mayStop) {
        this.words = words;
        this.mayStop = mayStop;
    }

    public String words() {
        return words;
    }

    /** Whether healing it may end a process; then it comes out of the kill budget. */
    public boolean mayStop() {
        return mayStop;
    }
}
