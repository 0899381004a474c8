package dev.berth.workflows.worker;

/** The phase in a worker's life: the search attribute, and the state that callers see. */
public enum WorkerPhase {
    /** Waits in the pool; it has no user, so no lifecycle is ever in this one. */
    POOL_IDLE,
    /** A pool worker was asked for; its answer is awaited. */
    CLAIMED,
    /** An ECS task was asked for; its process is awaited. */
    LAUNCHING,
    /** The process answered; it opens the broker session, or has lost every one that it had. */
    CONNECTING,
    /** It serves orders. */
    ACTIVE,
    /**
     * It has an order in hand: what a reader sees in place of ACTIVE, while the lifecycle itself
     * stays there.
     */
    PROCESSING,
    /** A signal doubts that it lives; it is being asked. */
    HEALTH_CHECK,
    /** It is gone, or given up; a new one is being started. */
    RECONNECTING,
    /** It finishes what it has in hand and closes its sessions. */
    DRAINING,
    /** There is none, and none is wanted. */
    TERMINATED,
    /** There is none, and none may be started until a resume. */
    SUSPENDED,
    /** It could not be connected; the reason says why. */
    FAILED;

    /**
     * Whether there is no worker, and nothing is under way to one: the lifecycle counts on none.
     */
    public boolean isAtRest() {
        return switch (this) {
            case TERMINATED, SUSPENDED, FAILED -> true;
            case POOL_IDLE, CLAIMED, LAUNCHING, CONNECTING, ACTIVE, PROCESSING -> false;
            case HEALTH_CHECK, RECONNECTING, DRAINING -> false;
        };
    }
}
