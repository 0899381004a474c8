package dev.berth.local.ecs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A task's process, started by this or an earlier run of local ECS. */
final class TaskProcess {
    /**
     * The system rounds the boot time that start times refer to, so the times of one process
     * differ.
     */
    static final Duration SAME_START = Duration.ofSeconds(2);

    private final ProcessHandle handle;
    private final MemoryLimit limit;
    private final AtomicBoolean terminated = new AtomicBoolean();
    private volatile List<ProcessHandle> descendants = List.of();

    TaskProcess(ProcessHandle handle, MemoryLimit limit) {
        this.handle = handle;
        this.limit = limit;
        limit.attach(handle);
    }

    /** The live process with this id that started at about that time; null matches any time. */
    static Optional<ProcessHandle> living(long pid, @Nullable Instant startedAt, Duration tolerance) {
        return ProcessHandle.of(pid)
                .filter(TaskProcess::isAlive)
                .filter(handle -> startedAt == null
                        || handle.info()
                                .startInstant()
                                .map(start ->
                                        Duration.between(start, startedAt).abs().compareTo(tolerance) < 0)
                                .orElse(true));
    }

    boolean isAlive() {
        return isAlive(handle);
    }

    ProcessHandle handle() {
        return handle;
    }

    /** Sends SIGTERM once; whether this call sent it. */
    boolean terminate() {
        if (!terminated.compareAndSet(false, true)) {
            return false;
        }
        descendants = handle.descendants().toList();
        handle.destroy();
        return true;
    }

    /** Sends SIGKILL to the process and its descendants. Idempotent. */
    void kill() {
        handle.descendants().forEach(ProcessHandle::destroyForcibly);
        handle.destroyForcibly();
    }

    /**
     * Call after the end of the process: its descendants end, too, as in a container. After an exit
     * without a stop, only a control group knows the descendants.
     *
     * @return whether it was killed for its memory
     */
    boolean release() {
        boolean exceeded = limit.wasExceeded();
        descendants.forEach(ProcessHandle::destroyForcibly);
        limit.close();
        return exceeded;
    }

    private static boolean isAlive(ProcessHandle handle) {
        return handle.isAlive() && !isDeadButNotReaped(handle.pid());
    }

    /**
     * Another process reaps an adopted one, perhaps never; until then the JDK considers it alive.
     */
    private static boolean isDeadButNotReaped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false;
        }
    }
}
