package dev.berth.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One server of the stack.
 *
 * @param name what {@code ./berth up} calls it: {@code api}, {@code ecs}, {@code postgres}, {@code redis}, {@code sqs},
 *     {@code temporal} or {@code venue}
 */
public record LocalProcess(Stack stack, String name) {
    private static final long SECONDS_TO_DIE = 10;
    /** As long as {@code ./berth down} waits. */
    private static final long SECONDS_TO_END = 60;

    /** Of the last one that was started, even if it has ended since. */
    public long pid() throws IOException {
        Path file = stack.home().resolve("run/" + name + ".pid");
        String pid = Files.readString(file).strip();
        if (pid.isEmpty()) {
            throw new IOException(name + " is being started");
        }
        return Long.parseLong(pid);
    }

    /** Whether it runs, be it frozen. */
    public boolean isUp() throws IOException {
        return ProcessHandle.of(pid()).isPresent();
    }

    /**
     * Ends it at once, and the program that it wraps, if it does. {@code ./berth up} starts it again. Nothing happens
     * when it has ended already.
     *
     * @throws IOException if it does not end
     */
    public void kill() throws IOException, InterruptedException {
        end(ProcessHandle::destroyForcibly, SECONDS_TO_DIE);
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
     * Lets it end in order, and waits for that. Nothing happens when it has ended already.
     *
     * @throws IOException if it does not end
     */
    public void end() throws IOException, InterruptedException {
        end(ProcessHandle::destroy, SECONDS_TO_END);
    }

    /** It, and the program that it wraps, stand still until {@link #thaw}. Its ports still take connections. */
    public void freeze() throws IOException, InterruptedException {
        Signal.STOP.send(ids());
    }

    /** It goes on. Nothing happens when it did not stand still. */
    public void thaw() throws IOException, InterruptedException {
        Signal.CONT.send(ids());
    }

    private List<Long> ids() throws IOException {
        return all().stream().map(ProcessHandle::pid).toList();
    }

    /** Workers are not part of local ECS, as containers outlive an agent; PostgreSQL is nobody's child. */
    private List<ProcessHandle> all() throws IOException {
        String programs = stack.home().toRealPath().resolve("data/" + name) + "/";
        return Stream.concat(
                        ProcessHandle.of(pid()).stream(),
                        ProcessHandle.allProcesses()
                                .filter(it -> it.info().command().orElse("").startsWith(programs)))
                .toList();
    }
}
