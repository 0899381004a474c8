package dev.berth.local.ecs;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** What runs a task: a process of this machine, or a container. */
sealed interface TaskRuntime extends AutoCloseable permits Programs, Containers {

    /**
     * A process that was started.
     *
     * @param exitCode completes at its end: 0 to 255, 128 + signal after a signal
     */
    record Started(ProcessHandle handle, CompletableFuture<Integer> exitCode) {}

    /** Creates the hard memory limit of a task that has not started. */
    MemoryLimit limit(TaskPlan plan);

    /**
     * Starts the task's program.
     *
     * @param metadataPort of local ECS on 127.0.0.1
     * @throws IOException with ECS's message if the program does not exist
     */
    Started start(TaskPlan plan, MemoryLimit limit, int metadataPort) throws IOException;

    /**
     * The id of the task's process on this host, on disk before the program runs; empty if it has
     * none.
     */
    OptionalLong pidOf(String taskId);

    /** Removes what the ended task left. Idempotent. */
    void remove(String taskId);

    /** Call when no task lives. */
    @Override
    void close();
}
