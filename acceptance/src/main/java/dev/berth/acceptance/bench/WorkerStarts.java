package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Measures the steps of a worker's start. */
final class WorkerStarts {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    /** The end of the previous worker and the pool's refill use a core for a second. */
    private static final Duration PAUSE = Duration.ofMillis(1500);
    /**
     * Longer than most starts. Polls during a start would take CPU time from it, and the times come
     * from the history anyway.
     */
    private static final Duration UNDISTURBED = Duration.ofMillis(1500);

    private static final Goal CLAIM = Goal.medianAndP99(120, 300);
    private static final Goal COLD = Goal.median(700);

    private final Stack stack;
    private final boolean claims;
    private final Measurements all = new Measurements();
    private final Measurements sending = new Measurements();
    private final Measurements attaching = new Measurements();
    private final Measurements connecting = new Measurements();
    private final Measurements activating = new Measurements();
    private final Measurements idlePss = new Measurements();
    private final Measurements activePss = new Measurements();
    private final Measurements activeRss = new Measurements();
    private int others;

    /** Measures only claims, or only cold starts. */
    WorkerStarts(Stack stack, boolean claims) {
        this.stack = stack;
        this.claims = claims;
    }

    void measure(int rounds) throws IOException, InterruptedException {
        int tries = 0;
        while (all.count() < rounds && tries++ < 3 * rounds) {
            BenchUser user = BenchUser.fresh(stack);
            if (claims) {
                awaitPool();
            }
            Thread.sleep(PAUSE);
            Memory.ofIdleWorkers(stack).forEach(memory -> idlePss.add(memory.pssMebibytes()));
            user.start();
            Thread.sleep(UNDISTURBED);
            Worker worker = user.awaitActive(1);
            if ((claims ? "CLAIM" : "COLD").equals(worker.origin())) {
                add(StartTimes.of(stack, user.name()));
                Memory memory = Memory.of(worker.pid());
                activePss.add(memory.pssMebibytes());
                activeRss.add(memory.rssMebibytes());
            } else {
                others++;
            }
            user.stop();
            user.awaitEnd();
        }
    }

    /** From asked for to {@code ACTIVE}. */
    Measurements times() {
        return all;
    }

    private void add(StartTimes times) {
        all.add(OrderLatency.millis(times.asked(), times.active()));
        sending.add(OrderLatency.millis(times.asked(), times.sent()));
        attaching.add(OrderLatency.millis(times.sent(), times.attached()));
        connecting.add(OrderLatency.millis(times.attached(), times.connected()));
        activating.add(OrderLatency.millis(times.connected(), times.active()));
    }

    private void awaitPool() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (Memory.ofIdleWorkers(stack).size() < 2 && Instant.now().isBefore(deadline)) {
            Thread.sleep(200);
        }
    }

    void print() {
        String origin = claims ? "claim" : "cold";
        ResultTable.row("worker (" + origin + "), asked for to ACTIVE", all, claims ? CLAIM : COLD);
        if (others > 0) {
            ResultTable.note("%d more starts were %s, and are not in these rows", others, claims ? "cold" : "claimed");
        }
        ResultTable.row(claims ? "  to claim sent, and on record" : "  to task run by ECS", sending, Goal.NONE);
        ResultTable.row(
                claims ? "  to picked up by a pool worker, attached" : "  to process up, attached",
                attaching,
                Goal.NONE);
        ResultTable.row("  to connected to its broker", connecting, Goal.NONE);
        ResultTable.row("  to ACTIVE", activating, Goal.NONE);
        if (claims) {
            ResultTable.row("PSS of an idle pool worker", Unit.MEBIBYTES, idlePss, Goal.NONE);
        }
        ResultTable.row("PSS of an active worker (" + origin + ")", Unit.MEBIBYTES, activePss, Goal.NONE);
        ResultTable.row("RSS of an active worker (" + origin + ")", Unit.MEBIBYTES, activeRss, Goal.NONE);
    }
}
