package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.HostProcess;
import dev.berth.acceptance.bench.OrderFlow;
import dev.berth.acceptance.stack.Signal;
import dev.berth.acceptance.verify.Freeze;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Freezes a user's worker and lets it continue. After a long freeze Berth handles it as dead. ECS
 * cannot stop it on its hanging host, so a successor serves beside it, and it must end itself.
 */
final class WorkerFreeze {
    /** A little less than the lease of 25 s; an extra counted death does no harm. */
    private static final Duration LONG = Duration.ofSeconds(20);
    /** An order behind the send gate reaches the venue by then. */
    private static final Duration AFTERMATH = Duration.ofSeconds(5);

    private WorkerFreeze() {}

    /** Returns 2 when a successor serves beside the frozen worker, else 1. */
    static int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        OrderFlow victim = site.crew().user(fault.place());
        Optional<HostProcess> worker = site.workerOf(victim.user());
        if (worker.isEmpty()) {
            return 0;
        }
        boolean isLong = fault.lasts().compareTo(LONG) >= 0;
        if (!isLong) {
            return freeze(site, victim, worker.get(), fault.lasts());
        }
        victim.countDeath();
        site.setHostHangs(true);
        try {
            return freeze(site, victim, worker.get(), fault.lasts());
        } finally {
            site.setHostHangs(false);
        }
    }

    private static int freeze(ChaosEnvironment site, OrderFlow victim, HostProcess worker, Duration lasts)
            throws IOException, InterruptedException {
        List<Long> pid = List.of(worker.pid());
        Signal.STOP.send(pid);
        try {
            Thread.sleep(lasts);
            return hasSuccessor(site, victim, worker) ? 2 : 1;
        } finally {
            Instant thawed = Instant.now();
            String account = victim.account().keyId(victim.user().name());
            site.tolerate(new Freeze(account, thawed, thawed.plus(AFTERMATH)));
            if (worker.process().isAlive()) {
                Signal.CONT.send(pid);
            }
        }
    }

    private static boolean hasSuccessor(ChaosEnvironment site, OrderFlow victim, HostProcess worker) {
        try {
            return worker.process().isAlive()
                    && site.workerOf(victim.user())
                            .filter(serving -> serving.pid() != worker.pid())
                            .isPresent();
        } catch (IOException redisUnavailable) {
            return false;
        }
    }
}
