package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.End;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** After a restart: keeps the tasks whose processes still live, and ends the others. */
record Adoption(Ledger ledger, Agent agent, Programs programs, MemoryLimits limits) {
    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);
    /** On a machine that is overloaded, a new process may come late. */
    private static final Duration START_TAKES_AT_MOST = Duration.ofMinutes(1);

    void run() {
        ledger.live().forEach(this::adoptOrEnd);
    }

    private void adoptOrEnd(Task task) {
        MemoryLimit limit = limits.again(task);
        Optional<ProcessHandle> process = process(task);
        if (process.isPresent()) {
            LOG.info("Adopted task {}, process {}", task.id(), process.get().pid());
            agent.adopt(task.id(), process.get(), limit);
            return;
        }
        boolean exceeded = limit.wasExceeded();
        limit.close();
        programs.forgetPid(task.id());
        ledger.change(task.id(), it -> exceeded ? it.exited(End.outOfMemory(ledger.now())) : lost(it));
    }

    /** By the ledger, or by what the process wrote down itself if we were killed before the ledger had it. */
    private Optional<ProcessHandle> process(Task task) {
        if (task.launch() != null) {
            return TaskProcess.living(task.launch().pid(), task.launch().processStartedAt(), TaskProcess.SAME_START);
        }
        OptionalLong pid = programs.pidOf(task.id());
        return task.pull() == null || pid.isEmpty()
                ? Optional.empty()
                : TaskProcess.living(pid.getAsLong(), task.pull().startedAt(), START_TAKES_AT_MOST);
    }

    private Task lost(Task task) {
        String reason = "CannotInspectContainerError: it ended while the agent was away";
        return task.launch() == null
                ? task.neverStarted(ledger.now(), null)
                : task.exited(new End(ledger.now(), null, reason));
    }
}
