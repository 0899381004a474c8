package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.OrderFlow;
import dev.berth.acceptance.stack.Signal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Kills the process of a user's worker. */
final class WorkerKill {
    private WorkerKill() {}

    static int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        OrderFlow victim = site.crew().user(fault.place());
        Optional<HostProcess> worker = site.workerOf(victim.user());
        if (worker.isEmpty()) {
            return 0;
        }
        victim.countDeath();
        Signal.KILL.send(List.of(worker.get().pid()));
        return 1;
    }
}
