package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.End;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** After a restart: adopts tasks with live processes and ends the others. */
record TaskAdoption(TaskLedger ledger, Agent agent, TaskRuntime runtime, MemoryLimits limits) {
    private static final Logger LOG = LoggerFactory.getLogger(TaskAdoption.class);
    /** An overloaded machine starts processes late. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

    void run() {
        ledger.live().forEach(this::adoptOrEnd);
    }

    private void adoptOrEnd(Task task) {
        MemoryLimit limit = limits.restore(task);
        Optional<ProcessHandle> process = process(task);
        if (process.isPresent()) {
            LOG.info("Adopted task {}, process {}", task.id(), process.get().pid());
            agent.adopt(task.id(), process.get(), limit);
            return;
        }
        boolean exceeded = limit.wasExceeded();
        limit.close();
        runtime.remove(task.id());
        ledger.change(task.id(), it -> exceeded ? it.exited(End.outOfMemory(ledger.now())) : lost(it));
    }

    /**
     * From the ledger; else from the id that the process wrote, if the ledger was not updated in
     * time.
     */
    private Optional<ProcessHandle> process(Task task) {
        if (task.launch() != null) {
            return TaskProcess.living(task.launch().pid(), task.launch().processStartedAt(), TaskProcess.SAME_START);
        }
        OptionalLong pid = runtime.pidOf(task.id());
        return task.pull() == null || pid.isEmpty()
                ? Optional.empty()
                : TaskProcess.living(pid.getAsLong(), task.pull().startedAt(), START_TIMEOUT);
    }

    private Task lost(Task task) {
        String reason = "CannotInspectContainerError: the container ended while the agent was down";
        return task.launch() == null
                ? task.neverStarted(ledger.now(), null)
                : task.exited(End.lost(ledger.now(), reason));
    }
}
