package dev.berth.workflows;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.webhook.WebhookOwner;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Optional;

/** Every workflow id, made and parsed in one place. */
public final class WorkflowIds {
    public static final String POOL = "pool";
    /** The sweep's schedule and its workflows; the server adds the time to the latter. */
    public static final String MAINTENANCE = "maintenance";
    /** The archive's, in the same way. */
    public static final String ARCHIVE = "archive";

    /** Hands the running workers over to a new version. */
    public static final String UPGRADE = "upgrade";

    /** With {@link RedisKeys#activeOrder} after it: an order's workflow. */
    public static final String ORDER = "order:";

    private static final String LATE = "late:";
    private static final String WORKER = "worker:";
    private static final String WEBHOOK = "webhook:";
    private static final String ACCOUNT = "account:";
    private static final String MASS_CANCEL = "cancel:";
    private static final String FLEET_MASS_CANCEL = "cancel-fleet:";
    private static final String CLOSE = "close:";

    private WorkflowIds() {}

    public static String order(UserId userId, ClientOrderId clientOrderId) {
        return ORDER + userId + ":" + clientOrderId;
    }

    /**
     * Checks, in a workflow, that its id is the one that its arguments call for: other code finds
     * it by that id.
     *
     * @throws ApplicationFailure that fails the workflow, when it has another
     */
    public static void requireOwn(String id) {
        String own = Workflow.getInfo().getWorkflowId();
        if (!own.equals(id)) {
            throw FailureType.WRONG_WORKFLOW_ID.failure(
                    "The workflow " + own + " was started with arguments of " + id + ". Start it under that id.");
        }
    }

    /** Whose order, and which. */
    public record OrderId(UserId userId, ClientOrderId clientOrderId) {}

    /** Which order it is; empty for the id of another workflow, such as one typed by hand. */
    public static Optional<OrderId> order(String workflowId) {
        String[] parts = workflowId.split(":", 3);
        return parts.length == 3 && workflowId.startsWith(ORDER)
                ? UserId.parse(parts[1])
                        .flatMap(user -> ClientOrderId.parse(parts[2]).map(id -> new OrderId(user, id)))
                : Optional.empty();
    }

    /** Records reports of an order after its end. */
    public static String lateReport(UserId userId, ClientOrderId clientOrderId) {
        return LATE + userId + ":" + clientOrderId;
    }

    public static String worker(UserId userId) {
        return WORKER + userId;
    }

    /** Delivers one message; {@code round} grows when it is sent again. */
    public static String webhook(WebhookOwner owner, String webhook, String messageId, int round) {
        return WEBHOOK + owner + ":" + webhook + ":" + messageId + ":" + round;
    }

    /** Reads an account; one at a time. */
    public static String readAccount(UserId userId, AccountKey account) {
        return ACCOUNT + userId + ":" + account;
    }

    /** Cancels one order of an account by the venue's id. */
    public static String cancelVenueOrder(UserId userId, AccountKey account, String venueOrderId) {
        return readAccount(userId, account) + ":" + venueOrderId;
    }

    /** Cancels a user's orders that the request of this id covers. */
    public static String massCancel(UserId userId, String id) {
        return MASS_CANCEL + userId + ":" + id;
    }

    /** Cancels the orders of all users that the request of this id covers. */
    public static String fleetMassCancel(String id) {
        return FLEET_MASS_CANCEL + id;
    }

    /** Closes positions of an account; one at a time. */
    public static String exclusiveClose(UserId userId, AccountKey account) {
        return CLOSE + userId + ":" + account;
    }

    /** Closes positions of an account under an idempotency key of any form. */
    public static String closePositions(UserId userId, AccountKey account, String key) {
        return exclusiveClose(userId, account) + ":" + Hashes.sha256(key).substring(0, 32);
    }

    /** Whose lifecycle it is; empty for the id of another workflow. */
    public static Optional<UserId> userOfWorker(String workflowId) {
        return workflowId.startsWith(WORKER) ? UserId.parse(workflowId.substring(WORKER.length())) : Optional.empty();
    }

    /** Whose order or lifecycle it is; empty for a workflow of the fleet. */
    public static Optional<UserId> user(String workflowId) {
        for (String prefix : List.of(ORDER, WORKER, LATE, WEBHOOK, ACCOUNT, MASS_CANCEL, CLOSE)) {
            if (workflowId.startsWith(prefix)) {
                int end = workflowId.indexOf(':', prefix.length());
                return UserId.parse(workflowId.substring(prefix.length(), end < 0 ? workflowId.length() : end));
            }
        }
        return Optional.empty();
    }
}
