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

/** A task's process, started by us or by an earlier run of local ECS. */
final class TaskProcess {
    /** The system gives start times in ticks after a boot time that it rounds; the same process may differ by that. */
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

    /** The process with this id if it lives and was started at that time, give or take; a null time matches any. */
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

    /** Sends SIGTERM, once only; whether this was the time. */
    boolean terminate() {
        if (!terminated.compareAndSet(false, true)) {
            return false;
        }
        descendants = handle.descendants().toList();
        handle.destroy();
        return true;
    }

    /** SIGKILL, to what it started as well. Gone already: nothing happens. */
    void kill() {
        handle.descendants().forEach(ProcessHandle::destroyForcibly);
        handle.destroyForcibly();
    }

    /**
     * To be called once the process has ended: its descendants end with it, as in a container. Those of a process that
     * ended by itself are known to a control group only.
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

    /** An adopted process is reaped by whoever inherited it, perhaps never; until then the JDK calls it alive. */
    private static boolean isDeadButNotReaped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false;
        }
    }
}
