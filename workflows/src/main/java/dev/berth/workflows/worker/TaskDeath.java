package dev.berth.workflows.worker;

/** What ECS says of a task's death. */
public enum TaskDeath {
    /** The task's process is dead, or never was: it can send nothing. */
    PROVEN,

    /**
     * The task is {@code STOPPED}, but its process may run on, as after a forced deregistration of
     * its host.
     */
    UNCONFIRMED,

    /**
     * Anything else. A task that ECS does not know is one of these: it may be too new for ECS to
     * know it.
     */
    ALIVE
}
