package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** How long a user waits for a worker, by step. */
final class WorkerStarts {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** The end of the worker before, and the refill of the pool, take a core for a second. */
    private static final Duration REST = Duration.ofMillis(1500);
    /**
     * Most starts are over by then, and nobody looked meanwhile: each look takes from both cores what the start
     * needs, and the times are of the history anyway.
     */
    private static final Duration UNDISTURBED = Duration.ofMillis(1500);

    private static final Goal CLAIM = Goal.medianAndP99(120, 300);
    private static final Goal COLD = Goal.median(700);

    private final Stack stack;
    private final boolean claims;
    private final Samples all = new Samples();
    private final Samples sending = new Samples();
    private final Samples pickingUp = new Samples();
    private final Samples attaching = new Samples();
    private final Samples connecting = new Samples();
    private final Samples activating = new Samples();
    private final Samples idlePss = new Samples();
    private final Samples activePss = new Samples();
    private final Samples activeRss = new Samples();
    private int others;

    /** Counts the starts out of the pool, or the cold ones; of the others nothing is counted. */
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
            Thread.sleep(REST);
            Memory.ofIdleWorkers(stack).forEach(memory -> idlePss.add(memory.pssMebibytes()));
            user.start();
            Thread.sleep(UNDISTURBED);
            JsonNode worker = user.awaitActive(1);
            if (worker.path("origin").asText().equals(claims ? "CLAIM" : "COLD")) {
                add(StartMoments.of(stack, user.name()));
                Memory memory = Memory.of(worker.path("pid").asLong());
                activePss.add(memory.pssMebibytes());
                activeRss.add(memory.rssMebibytes());
            } else {
                others++;
            }
            user.stop();
            user.awaitEnd();
        }
    }

    private void add(StartMoments at) {
        all.add(OrderLatency.millis(at.asked(), at.active()));
        sending.add(OrderLatency.millis(at.asked(), at.sent()));
        pickingUp.add(OrderLatency.millis(at.sent(), at.pickedUp()));
        attaching.add(OrderLatency.millis(at.pickedUp(), at.attached()));
        connecting.add(OrderLatency.millis(at.attached(), at.connected()));
        activating.add(OrderLatency.millis(at.connected(), at.active()));
    }

    private void awaitPool() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Memory.ofIdleWorkers(stack).size() < 2 && Instant.now().isBefore(deadline)) {
            Thread.sleep(200);
        }
    }

    void print() {
        String origin = claims ? "claim" : "cold";
        Table.row("worker (" + origin + "), asked for to ACTIVE", all, claims ? CLAIM : COLD);
        if (others > 0) {
            Table.note("%d more starts were %s, and are not in these rows", others, claims ? "cold" : "claimed");
        }
        Table.row(claims ? "  to claim sent, and on record" : "  to task run by ECS", sending, Goal.NONE);
        Table.row(claims ? "  to picked up by a pool worker" : "  to process up", pickingUp, Goal.NONE);
        Table.row("  to mark made, attached", attaching, Goal.NONE);
        Table.row("  to connected to its broker", connecting, Goal.NONE);
        Table.row("  to ACTIVE", activating, Goal.NONE);
        if (claims) {
            Table.row("PSS of an idle pool worker, MiB", idlePss, Goal.NONE);
        }
        Table.row("PSS of an active worker (" + origin + "), MiB", activePss, Goal.NONE);
        Table.row("RSS of an active worker (" + origin + "), MiB", activeRss, Goal.NONE);
    }
}
