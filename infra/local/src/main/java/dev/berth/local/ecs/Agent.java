package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.End;
import dev.berth.local.ecs.Task.Launch;
import dev.berth.local.ecs.Task.Stop.Step;
import dev.berth.local.ecs.Task.StopCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns the processes, like the ECS agent on a host: starts and stops them, and tells the ledger how they ended. */
final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    /** Docker gives up on a container at some point too; a SIGKILL needs no longer than this. */
    private static final Duration KILL_TAKES_AT_MOST = Duration.ofSeconds(5);

    private static final Duration ADOPTED_IS_LOOKED_AT = Duration.ofMillis(100);
    private static final String SHUTDOWN = "Local ECS is shutting down";

    private final Ledger ledger;
    private final Programs programs;
    private final MemoryLimits limits;
    private final Supplier<Faults> faults;
    private final IntSupplier metadataPort;
    private final Map<String, TaskProcess> processes = new ConcurrentHashMap<>();

    Agent(Ledger ledger, Programs programs, MemoryLimits limits, Supplier<Faults> faults, IntSupplier metadataPort) {
        this.ledger = ledger;
        this.programs = programs;
        this.limits = limits;
        this.faults = faults;
        this.metadataPort = metadataPort;
    }

    /** Returns at once; the process follows within milliseconds, or after the delay that a fault asks for. */
    void start(String taskId) {
        after(Duration.ofMillis(faults.get().runTaskDelayMillis()), () -> launch(taskId));
    }

    /** SIGTERM now, SIGKILL after the task's stop time-out. Returns at once; asked again or too late: nothing happens. */
    void stop(String taskId) {
        TaskProcess process = processes.get(taskId);
        if (process == null) {
            ledger.change(taskId, task -> task.pull() == null ? task.neverStarted(ledger.now(), null) : task);
            return;
        }
        Task task = ledger.change(taskId, it -> it.stopReached(Step.DEACTIVATING));
        if (process.terminate()) {
            after(Duration.ofSeconds(task.plan().stopTimeoutSeconds()), process::kill);
        }
        ledger.change(taskId, it -> it.stopReached(Step.STOPPING));
    }

    /** Takes over the process that an earlier run of local ECS started; its exit code will not be known. */
    void adopt(String taskId, ProcessHandle handle, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(handle, limit);
        processes.put(taskId, process);
        Task task = ledger.change(taskId, it -> it.launch() != null ? it : it.launched(launchOf(handle)));
        Thread.startVirtualThread(() -> {
            if (awaitEnd(process)) {
                ended(taskId, process, null);
            }
        });
        if (task.stop() != null) {
            stop(taskId);
        }
    }

    /** Stops every task and waits for the slowest; when interrupted it kills them instead. */
    @Override
    public void close() {
        int longest = 0;
        for (Task task : ledger.live()) {
            longest = Math.max(longest, task.plan().stopTimeoutSeconds());
            ledger.change(task.id(), it -> it.stopRequested(StopCode.UserInitiated, SHUTDOWN, ledger.now()));
            stop(task.id());
        }
        try {
            if (!ledger.awaitNoneLive(KILL_TAKES_AT_MOST.plusSeconds(longest))) {
                LOG.warn("Tasks that outlived SIGKILL: {}", processes.keySet());
            }
        } catch (InterruptedException e) {
            processes.values().forEach(TaskProcess::kill);
            Thread.currentThread().interrupt();
        }
    }

    private void launch(String taskId) {
        TaskPlan plan = ledger.plan(taskId);
        MemoryLimit limit = limits.forTask(plan);
        String folder = limit.folder().map(Path::toString).orElse(null);
        Task task = ledger.change(
                taskId,
                it -> it.stop() == null ? it.pulled(ledger.now(), folder) : it.neverStarted(ledger.now(), null));
        if (task.end() != null) {
            limit.close();
            return;
        }
        try {
            run(taskId, programs.start(plan, limit, metadataPort.getAsInt()), limit);
        } catch (IOException | IllegalArgumentException e) {
            limit.close();
            ledger.change(taskId, it -> it.neverStarted(ledger.now(), String.valueOf(e.getMessage())));
        }
    }

    private void run(String taskId, Process started, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(started.toHandle(), limit);
        processes.put(taskId, process);
        Task launched = ledger.change(taskId, it -> it.launched(launchOf(process.handle())));
        Thread.startVirtualThread(
                () -> ended(taskId, process, started.onExit().join().exitValue()));
        if (launched.stop() != null && !faults.get().ignoreStop()) {
            stop(taskId);
        }
    }

    private void ended(String taskId, TaskProcess process, @Nullable Integer exitCode) {
        boolean exceeded = process.release();
        programs.forgetPid(taskId);
        processes.remove(taskId);
        End end = exceeded ? End.outOfMemory(ledger.now()) : new End(ledger.now(), exitCode, null);
        ledger.change(taskId, task -> task.exited(end));
    }

    private Launch launchOf(ProcessHandle handle) {
        return new Launch(handle.pid(), handle.info().startInstant().orElse(null), ledger.now());
    }

    private static void after(Duration delay, Runnable action) {
        Thread.startVirtualThread(() -> {
            if (slept(delay)) {
                action.run();
            }
        });
    }

    /** Not {@link ProcessHandle#onExit}: for a process that is not our child that looks only every few seconds. */
    private static boolean awaitEnd(TaskProcess process) {
        while (process.isAlive()) {
            if (!slept(ADOPTED_IS_LOOKED_AT)) {
                return false;
            }
        }
        return true;
    }

    private static boolean slept(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
