package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.End;
import dev.berth.local.ecs.Task.StartedProcess;
import dev.berth.local.ecs.Task.Stop.StopPhase;
import dev.berth.local.ecs.Task.StopCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops tasks like the ECS agent of a host, and records their ends in the ledger.
 */
final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    /** Enough for a SIGKILL; Docker gives up after a while, too. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration ADOPTED_POLL_INTERVAL = Duration.ofMillis(100);
    private static final String CANNOT_START = "CannotStartContainerError: no space left on device";
    private static final String SHUTDOWN = "Local ECS is shutting down";

    private final TaskLedger ledger;
    private final TaskRuntime runtime;
    private final Supplier<EcsFaults> faults;
    private final IntSupplier metadataPort;
    private final HostProcesses processes;

    Agent(TaskLedger ledger, TaskRuntime runtime, Supplier<EcsFaults> faults, IntSupplier metadataPort) {
        this.ledger = ledger;
        this.runtime = runtime;
        this.faults = faults;
        this.metadataPort = metadataPort;
        this.processes = new HostProcesses(taskId -> ledger.plan(taskId).hostId());
    }

    /** Returns at once; the process starts within milliseconds, or after the delay of a fault. */
    void start(String taskId) {
        Delay.run(Duration.ofMillis(faults.get().runTaskDelayMillis()), () -> launch(taskId));
    }

    /** Sends SIGTERM, and SIGKILL after the task's stop time-out. Returns at once; idempotent. */
    void stop(String taskId) {
        processes
                .find(taskId)
                .ifPresentOrElse(
                        process -> terminate(taskId, process),
                        () -> ledger.change(
                                taskId, task -> task.pull() == null ? task.neverStarted(ledger.now(), null) : task));
    }

    private void terminate(String taskId, TaskProcess process) {
        Task task = ledger.change(taskId, it -> it.stopReached(StopPhase.DEACTIVATING));
        if (process.terminate()) {
            Delay.run(Duration.ofSeconds(task.plan().stopTimeoutSeconds()), process::kill);
        }
        ledger.change(taskId, it -> it.stopReached(StopPhase.STOPPING));
    }

    /** Takes over a process of an earlier run of local ECS; its exit code stays unknown. */
    void adopt(String taskId, ProcessHandle handle, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(handle, limit);
        processes.add(taskId, process);
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

    /** Leaves the processes of this host running but stops reporting them; the host starts none. */
    void abandon(String hostId) {
        processes.abandon(hostId);
    }

    /** Kills the processes of this host without a report; the host starts none. */
    void kill(String hostId) {
        processes.abandon(hostId);
        processes.killAbandoned(hostId);
    }

    /**
     * Stops every task and waits for the slowest, or kills all when interrupted. Kills abandoned
     * processes.
     */
    @Override
    public void close() {
        processes.killAbandoned();
        int longest = 0;
        for (Task task : ledger.live()) {
            longest = Math.max(longest, task.plan().stopTimeoutSeconds());
            ledger.change(task.id(), it -> it.stopRequested(StopCode.UserInitiated, SHUTDOWN, ledger.now()));
            stop(task.id());
        }
        try {
            if (!ledger.awaitNoneLive(KILL_TIMEOUT.plusSeconds(longest))) {
                LOG.warn("Tasks that survived SIGKILL: {}", processes.reportedTasks());
            }
        } catch (InterruptedException e) {
            processes.killReported();
            Thread.currentThread().interrupt();
        }
    }

    private void launch(String taskId) {
        TaskPlan plan = ledger.plan(taskId);
        if (processes.isLost(plan.hostId())) {
            return;
        }
        if (faults.get().badHosts().contains(plan.containerInstanceArn())) {
            ledger.change(taskId, it -> it.neverStarted(ledger.now(), CANNOT_START));
            return;
        }
        MemoryLimit limit = runtime.limit(plan);
        String folder = limit.folder().map(Path::toString).orElse(null);
        Task task = ledger.change(
                taskId,
                it -> it.stop() == null ? it.pulled(ledger.now(), folder) : it.neverStarted(ledger.now(), null));
        if (task.end() != null) {
            limit.close();
            return;
        }
        try {
            run(taskId, runtime.start(plan, limit, metadataPort.getAsInt()), limit);
        } catch (IOException | IllegalArgumentException e) {
            limit.close();
            ledger.change(taskId, it -> it.neverStarted(ledger.now(), String.valueOf(e.getMessage())));
        }
    }

    private void run(String taskId, TaskRuntime.Started started, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(started.handle(), limit);
        processes.add(taskId, process);
        Task launched = ledger.change(taskId, it -> it.launched(launchOf(process.handle())));
        Thread.startVirtualThread(
                () -> ended(taskId, process, started.exitCode().join()));
        if (launched.stop() != null && !faults.get().ignoreStop()) {
            stop(taskId);
        }
    }

    private void ended(String taskId, TaskProcess process, @Nullable Integer exitCode) {
        boolean exceeded = process.release();
        runtime.remove(taskId);
        if (processes.remove(taskId, process)) {
            End end = exceeded ? End.outOfMemory(ledger.now()) : end(exitCode);
            ledger.change(taskId, task -> task.exited(end));
        }
    }

    private End end(@Nullable Integer exitCode) {
        return exitCode == null ? End.lost(ledger.now(), null) : End.exited(ledger.now(), exitCode);
    }

    private StartedProcess launchOf(ProcessHandle handle) {
        return new StartedProcess(handle.pid(), handle.info().startInstant().orElse(null), ledger.now());
    }

    /**
     * Not {@link ProcessHandle#onExit}: for a process that is no child, it polls every few seconds
     * only.
     */
    private static boolean awaitEnd(TaskProcess process) {
        while (process.isAlive()) {
            if (!Delay.elapsed(ADOPTED_POLL_INTERVAL)) {
                return false;
            }
        }
        return true;
    }
}
