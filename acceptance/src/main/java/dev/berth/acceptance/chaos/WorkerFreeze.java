package dev.berth.acceptance.chaos;

import dev.berth.acceptance.Signal;
import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.OrderFlow;
import dev.berth.acceptance.verify.Freeze;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A user's worker stands still, and goes on where it was. If that takes long, Berth takes it for dead; its host, which
 * hangs as a whole, can not stop it then, so a successor serves beside it, and it must end itself when it goes on.
 */
final class WorkerFreeze {
    /** A little less than the 25 s of a lease: what is counted as a death too much does no harm. */
    private static final Duration LONG = Duration.ofSeconds(20);
    /** What was past the send gate when it stood still reaches the venue by then. */
    private static final Duration AFTERMATH = Duration.ofSeconds(5);

    private WorkerFreeze() {}

    static int inject(Site site, Fault fault) throws IOException, InterruptedException {
        OrderFlow victim = site.crew().at(fault.place());
        Optional<HostProcess> worker = site.workerOf(victim.user());
        if (worker.isEmpty()) {
            return 0;
        }
        boolean isLong = fault.lasts().compareTo(LONG) >= 0;
        if (!isLong) {
            standStill(site, victim, worker.get(), fault.lasts());
            return 1;
        }
        victim.died();
        site.hostHangs(true);
        try {
            standStill(site, victim, worker.get(), fault.lasts());
        } finally {
            site.hostHangs(false);
        }
        return 1;
    }

    private static void standStill(Site site, OrderFlow victim, HostProcess worker, Duration lasts)
            throws IOException, InterruptedException {
        List<Long> pid = List.of(worker.pid());
        Signal.STOP.send(pid);
        try {
            Thread.sleep(lasts);
        } finally {
            Instant thawed = Instant.now();
            site.tolerate(new Freeze(victim.user().name(), thawed, thawed.plus(AFTERMATH)));
            if (worker.process().isAlive()) {
                Signal.CONT.send(pid);
            }
        }
    }
}
