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

    /** Two processes of one user when a successor serves beside the one that stands still, else one. */
    static int inject(Site site, Fault fault) throws IOException, InterruptedException {
        OrderFlow victim = site.crew().at(fault.place());
        Optional<HostProcess> worker = site.workerOf(victim.user());
        if (worker.isEmpty()) {
            return 0;
        }
        boolean isLong = fault.lasts().compareTo(LONG) >= 0;
        if (!isLong) {
            return standStill(site, victim, worker.get(), fault.lasts());
        }
        victim.died();
        site.hostHangs(true);
        try {
            return standStill(site, victim, worker.get(), fault.lasts());
        } finally {
            site.hostHangs(false);
        }
    }

    private static int standStill(Site site, OrderFlow victim, HostProcess worker, Duration lasts)
            throws IOException, InterruptedException {
        List<Long> pid = List.of(worker.pid());
        Signal.STOP.send(pid);
        try {
            Thread.sleep(lasts);
            return isBesideAnother(site, victim, worker) ? 2 : 1;
        } finally {
            Instant thawed = Instant.now();
            site.tolerate(new Freeze(victim.user().name(), thawed, thawed.plus(AFTERMATH)));
            if (worker.process().isAlive()) {
                Signal.CONT.send(pid);
            }
        }
    }

    private static boolean isBesideAnother(Site site, OrderFlow victim, HostProcess worker) {
        try {
            return worker.process().isAlive()
                    && site.workerOf(victim.user())
                            .filter(serving -> serving.pid() != worker.pid())
                            .isPresent();
        } catch (IOException redisAway) {
            return false;
        }
    }
}
