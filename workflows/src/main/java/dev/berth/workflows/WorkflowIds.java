package dev.berth.workflows;

import java.util.Optional;

/** Every workflow id, made and parsed in one place. */
public final class WorkflowIds {
    public static final String POOL = "pool";

    private static final String ORDER = "order:";
    private static final String LATE = "late:";
    private static final String WORKER = "worker:";

    private WorkflowIds() {}

    public static String order(UserId userId, ClientOrderId clientOrderId) {
        return ORDER + userId + ":" + clientOrderId;
    }

    /** Books what is told of an order after its end. */
    public static String lateReport(UserId userId, ClientOrderId clientOrderId) {
        return LATE + userId + ":" + clientOrderId;
    }

    public static String worker(UserId userId) {
        return WORKER + userId;
    }

    /** Whose lifecycle it is; empty for the id of another workflow. */
    public static Optional<UserId> userOfWorker(String workflowId) {
        return workflowId.startsWith(WORKER) ? UserId.parse(workflowId.substring(WORKER.length())) : Optional.empty();
    }
}
