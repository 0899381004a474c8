package dev.berth.workflows;

/** Every task queue, named in one place. */
public final class TaskQueues {
    /** Order workflows and what they do off the hot path. */
    public static final String ORDERS = "orders";
    /** Worker lifecycles, the pool, and the activities that act on the fleet. */
    public static final String FLEET = "fleet";
    /** ECS {@code RunTask} alone; the server holds it to the launch rate over all replicas. */
    public static final String LAUNCH = "launch";
    /** Attempts to reach receivers of webhooks: a receiver that hangs holds up nothing else. */
    public static final String WEBHOOKS = "webhooks";

    private static final String USER = "user-";

    private TaskQueues() {}

    /** Whether the worker of a user takes the queue's tasks. */
    public static boolean isOfUser(String queue) {
        return queue.startsWith(USER);
    }

    /** Orders of one user, and nothing else: its only poller has one slot. */
    public static String ordersOf(UserId userId) {
        return USER + userId;
    }

    /** Everything else that one user's worker does; an order in hand never holds it up. */
    public static String controlOf(UserId userId) {
        return USER + userId + "-control";
    }
}
