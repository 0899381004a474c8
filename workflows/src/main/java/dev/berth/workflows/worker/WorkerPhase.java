package dev.berth.workflows.worker;

/** Where a user's worker is in its life. */
public enum WorkerPhase {
    /** A pool worker was asked for; its answer is awaited. */
    CLAIMED,
    /** An ECS task was asked for; its process is awaited. */
    LAUNCHING,
    /** The process answered; it opens the broker session. */
    CONNECTING,
    /** It serves orders. */
    ACTIVE,
    /** Its task is gone; a new one is being started. */
    RECONNECTING,
    /** It finishes what it has in hand and closes its sessions. */
    DRAINING,
    /** There is none, and none is wanted. */
    TERMINATED,
    /** It could not be connected; the reason says why. The next order or start tries again. */
    FAILED
}
