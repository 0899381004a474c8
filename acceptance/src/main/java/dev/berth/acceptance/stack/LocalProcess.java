package dev.berth.acceptance.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A server of the local stack.
 *
 * @param name its name in {@code ./berth up}: {@code api}, {@code ecs}, {@code gateway},
 *     {@code gateway-2} and so on, {@code postgres}, {@code redis}, {@code sqs}, {@code temporal}
 *     or {@code venue}
 */
public record LocalProcess(Stack stack, String name) {
    private static final long KILL_SECONDS = 10;
    /** The same limit as in {@code ./berth down}. */
    private static final long STOP_SECONDS = 60;

    /** The process id of the last start, even if that process has ended. */
    public long pid() throws IOException {
        Path file = stack.home().resolve("run/" + name + ".pid");
        String pid = Files.readString(file).strip();
        if (pid.isEmpty()) {
            throw new IOException(name + " is being started");
        }
        return Long.parseLong(pid);
    }

    /** The CPU time that the process and the program that it wraps have used. */
    public Duration cpu() throws IOException {
        return all().stream()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Whether the process exists, frozen or not. */
    public boolean isUp() throws IOException {
        return ProcessHandle.of(pid()).isPresent();
    }

    /**
     * Kills the process and the program that it wraps; does nothing when it has ended. {@code
     * ./berth up} starts it again.
     *
     * @throws IOException when the process does not end
     */
    public void kill() throws IOException, InterruptedException {
        end(ProcessHandle::destroyForcibly, KILL_SECONDS);
    }

    private void end(Consumer<ProcessHandle> how, long seconds) throws IOException, InterruptedException {
        List<ProcessHandle> all = all();
        all.forEach(how);
        for (ProcessHandle process : all) {
            try {
                process.onExit().get(seconds, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException(name + ", process " + process.pid() + ", did not end", e);
            }
        }
    }

    /**
     * Stops the process in order and waits; does nothing when it has ended.
     *
     * @throws IOException when the process does not end
     */
    public void end() throws IOException, InterruptedException {
        end(ProcessHandle::destroy, STOP_SECONDS);
    }

    /**
     * Stops the process and the program that it wraps until {@link #thaw}. Its ports still accept.
     */
    public void freeze() throws IOException, InterruptedException {
        Signal.STOP.send(ids());
    }

    /** Lets a frozen process continue. */
    public void thaw() throws IOException, InterruptedException {
        Signal.CONT.send(ids());
    }

    private List<Long> ids() throws IOException {
        return all().stream().map(ProcessHandle::pid).toList();
    }

    /**
     * Finds children by their program: PostgreSQL detaches. Workers are no part of the local ECS.
     */
    private List<ProcessHandle> all() throws IOException {
        String programs = stack.home().toRealPath().resolve("data/" + name) + "/";
        return Stream.concat(
                        ProcessHandle.of(pid()).stream(),
                        ProcessHandle.allProcesses()
                                .filter(it -> it.info().command().orElse("").startsWith(programs)))
                .toList();
    }
}
