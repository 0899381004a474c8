package dev.berth.local.ecs;

import java.nio.file.Path;
import java.util.Optional;

/** Holds one task's process under its hard limit: over it, that process is killed and nothing else. */
sealed interface MemoryLimit permits ControlGroup, ResidentSetLimit {

    /** The folder to remember, so that the limit is found again after a restart. */
    Optional<Path> folder();

    /** The file into which the process writes its own id before it becomes the task's program. */
    Optional<Path> entrance();

    /** Called once the process exists. */
    void attach(ProcessHandle process);

    /** Whether the process was killed for its memory. Asked after it has ended and before {@link #close}. */
    boolean wasExceeded();

    /** After the process has ended: kills what it left behind, where that is known. Closed already: nothing happens. */
    void close();
}
