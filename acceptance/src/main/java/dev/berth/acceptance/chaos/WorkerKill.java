package dev.berth.acceptance.chaos;

import dev.berth.acceptance.Signal;
import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.OrderFlow;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The process of a user's worker ends at once. */
final class WorkerKill {
    private WorkerKill() {}

    static int inject(Site site, Fault fault) throws IOException, InterruptedException {
        OrderFlow victim = site.crew().at(fault.place());
        Optional<HostProcess> worker = site.workerOf(victim.user());
        if (worker.isEmpty()) {
            return 0;
        }
        victim.died();
        Signal.KILL.send(List.of(worker.get().pid()));
        return 1;
    }
}
