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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

    private final Ledger ledger;
    private final Programs programs;
    private final MemoryLimits limits;
    private final Supplier<Faults> faults;
    private final IntSupplier metadataPort;
    private final Map<String, TaskProcess> processes = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ecs-agent").factory());

    Agent(Ledger ledger, Programs programs, MemoryLimits limits, Supplier<Faults> faults, IntSupplier metadataPort) {
        this.ledger = ledger;
        this.programs = programs;
        this.limits = limits;
        this.faults = faults;
        this.metadataPort = metadataPort;
        clock.scheduleWithFixedDelay(this::forgetOld, 1, 1, TimeUnit.MINUTES);
    }

    /** Returns at once; the process follows within milliseconds, or after the delay that a fault asks for. */
    void start(String taskId) {
        long delay = faults.get().runTaskDelayMillis();
        if (delay == 0) {
            Thread.startVirtualThread(() -> launch(taskId));
        } else {
            clock.schedule(() -> Thread.startVirtualThread(() -> launch(taskId)), delay, TimeUnit.MILLISECONDS);
        }
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
            clock.schedule(process::kill, task.plan().stopTimeoutSeconds(), TimeUnit.SECONDS);
        }
        ledger.change(taskId, it -> it.stopReached(Step.STOPPING));
    }

    /** Takes over the process that an earlier run of local ECS started; its exit code will not be known. */
    void adopt(String taskId, ProcessHandle handle, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(handle, limit);
        processes.put(taskId, process);
        Task task = ledger.change(taskId, it -> it.launch() != null ? it : it.launched(launchOf(handle)));
        Thread.startVirtualThread(() -> {
            awaitEnd(process);
            ended(taskId, process, null);
        });
        if (task.stop() != null) {
            stop(taskId);
        }
    }

    @Override
    public void close() throws InterruptedException {
        int longest = 0;
        for (Task task : ledger.live()) {
            longest = Math.max(longest, task.plan().stopTimeoutSeconds());
            ledger.change(
                    task.id(),
                    it -> it.stopRequested(StopCode.UserInitiated, "Local ECS is shutting down", ledger.now()));
            stop(task.id());
        }
        if (!ledger.awaitNoneLive(KILL_TAKES_AT_MOST.plusSeconds(longest))) {
            LOG.warn("Processes that outlived SIGKILL: {}", processes.values());
        }
        clock.shutdownNow();
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
        } catch (IOException e) {
            limit.close();
            ledger.change(taskId, it -> it.neverStarted(ledger.now(), String.valueOf(e.getMessage())));
        }
    }

    private void run(String taskId, Process started, MemoryLimit limit) {
        TaskProcess process = new TaskProcess(started.toHandle(), limit);
        processes.put(taskId, process);
        Task launched = ledger.change(taskId, it -> it.launched(launchOf(process.handle())));
        started.onExit().thenAcceptAsync(over -> ended(taskId, process, over.exitValue()), Thread::startVirtualThread);
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

    private void forgetOld() {
        ledger.forgetOld();
    }

    /** Not {@link ProcessHandle#onExit}: for a process that is not our child that looks only every few seconds. */
    private static void awaitEnd(TaskProcess process) {
        try {
            while (process.isAlive()) {
                Thread.sleep(Duration.ofMillis(100));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
