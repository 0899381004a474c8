package dev.berth.workflows;

/** Every workflow id, made and parsed in one place. */
public final class WorkflowIds {
    public static final String POOL = "pool";

    private static final String ORDER = "order:";
    private static final String WORKER = "worker:";

    private WorkflowIds() {}

    public static String order(UserId userId, ClientOrderId clientOrderId) {
        return ORDER + userId + ":" + clientOrderId;
    }

    public static String worker(UserId userId) {
        return WORKER + userId;
    }
}
