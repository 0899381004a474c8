package dev.berth.activities.launch;

/** How the launch of a task ended. */
public enum LaunchResult {
    /** ECS started the task. */
    STARTED,
    /** No host has room for the task. */
    NO_ROOM,
    /** ECS refused the launch for another reason than room. */
    REFUSED,
    /** The launch circuit is open: ECS was not asked. */
    CIRCUIT_OPEN,
    /** ECS was unreachable, throttled the call, or failed. */
    FAILED
}
