package dev.berth.local.ecs;

import java.nio.file.Path;
import java.util.Optional;

/** The hard memory limit of one task: a process over the limit is killed, and no other. */
sealed interface MemoryLimit permits ControlGroup, ResidentSetLimit {

    /** The folder to store, so that a restart finds the limit. */
    Optional<Path> folder();

    /** The process writes its own id to this file before it executes the task's program. */
    Optional<Path> entrance();

    /** Call when the process exists. */
    void attach(ProcessHandle process);

    /**
     * Whether the process was killed for its memory. Call after its end and before {@link #close}.
     */
    boolean wasExceeded();

    /**
     * Call after the end of the process. Kills its children as far as they are known. Idempotent.
     */
    void close();
}
