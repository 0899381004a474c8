package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import io.temporal.client.WorkflowClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Measures a sweep over a large fleet and checks that it finds the planted drifts and keeps its
 * stop budget. Two manual sweeps count as two proofs when half of {@code BERTH_SWEEP_EVERY} (10 s
 * here, see {@code berth}) lies between them.
 */
final class SweepTime {
    /** The time between two proofs. */
    private static final Duration SECOND_PROOF = Duration.ofSeconds(6);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(3);
    private static final List<String> STOPPABLE =
            List.of("TASK_WITHOUT_HEARTBEAT", "FROZEN_WORKER", "DUPLICATE_TASK", "UNOWNED_TASK");
    /** A sweep reads the changes since a minute before the last sweep, which is now over. */
    private static final Duration CHANGES_FORGOTTEN = Duration.ofSeconds(61);

    private static final int REPEATS = 5;
    /** 10,000 in a second, 100,000 in ten. */
    private static final double MILLIS_PER_WORKER = 0.1;

    private static final Goal KILOBYTES = Goal.most(100);

    private final Stack stack;
    private final LocalEcsControl ecs;
    private final RedisKeyspace redis;
    private final WorkflowClient temporal;
    private final List<String> wrong = new ArrayList<>();

    SweepTime(Stack stack) {
        this.stack = stack;
        this.ecs = new LocalEcsControl(stack);
        this.redis = RedisKeyspace.of(stack);
        this.temporal = BareWorker.connect("127.0.0.1:" + stack.port("TEMPORAL", 7233));
    }

    /** Prints each size at once, since large fleets take minutes to plant. */
    void measure(List<Integer> sizes) throws IOException, InterruptedException, ExecutionException {
        // No worker can start for the phantom users, now or later, so the stack is of no other use.
        ecs.hosts(0);
        try (var _ = new PausedSweeps(stack, "sweeps are started by hand, one at a time");
                StubWorkflows standIns = new StubWorkflows(temporal)) {
            awaitTrustedRedis();
            for (int size : sizes) {
                PhantomFleet fleet = new PhantomFleet(stack, standIns, size);
                fleet.plant();
                measure(size, fleet.planted());
                if (size != sizes.getLast()) {
                    fleet.remove();
                }
            }
        } finally {
            temporal.getWorkflowServiceStubs().shutdownNow();
        }
    }

    private void awaitTrustedRedis() throws InterruptedException {
        while (!SweepRun.of(temporal).couldRead()) {
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private void measure(int size, Map<String, Integer> planted) throws IOException, InterruptedException {
        long api = stack.process("api").pid();
        double rssBefore = Memory.residentMebibytes(api);
        Memory.resetPeak(api);
        Measurements first = Measurements.of(DriftSearch.millis(temporal));
        Thread.sleep(CHANGES_FORGOTTEN);
        Measurements reads = new Measurements();
        Measurements cpu = new Measurements();
        for (int more = 0; more < REPEATS; more++) {
            Thread.sleep(SECOND_PROOF);
            Duration before = FleetCost.cpuTime(api);
            reads.add(DriftSearch.millis(temporal));
            cpu.add(FleetCost.cpuTime(api).minus(before).toNanos() / 1e6);
        }
        Thread.sleep(SECOND_PROOF);
        Map<String, Integer> callsBefore = ecs.calls();
        long commands = redis.commandsProcessed();
        SweepRun sweep = SweepRun.of(temporal);
        commands = redis.commandsProcessed() - commands;
        String calls = more(callsBefore);
        reads.add(sweep.readMillis());
        Measurements during = new Measurements();
        for (int more = 0; more < REPEATS; more++) {
            Thread.sleep(SECOND_PROOF);
            during.add(DriftSearch.millis(temporal));
        }
        String fleet = String.format(Locale.ROOT, "%,d workers", size);
        ResultTable.row("sweep of " + fleet + ": the look", reads, goal(size));
        ResultTable.row("  the first, when all have just begun", first, Goal.NONE);
        ResultTable.row("  beside the starts of whom it healed, which fail", during, Goal.NONE);
        ResultTable.row("  CPU of the API for a look", cpu, Goal.NONE);
        ResultTable.row("  the heals after it", Measurements.of(sweep.healMillis()), Goal.NONE);
        ResultTable.row("  from start to end", Measurements.of(sweep.millis()), Goal.NONE);
        ResultTable.row(
                "  biggest event of its history",
                Unit.KILOBYTES,
                Measurements.of(sweep.biggestEventKilobytes()),
                KILOBYTES);
        ResultTable.row(
                "  RSS of the API at its peak", Unit.MEBIBYTES, Measurements.of(Memory.peakMebibytes(api)), Goal.NONE);
        ResultTable.note("RSS before: %.0f MiB; ECS: %s; Redis: %,d commands", rssBefore, calls, commands);
        judge(fleet, sweep, planted);
    }

    /** Small fleets have no goal: their read takes as long as its calls. */
    private static Goal goal(int size) {
        return size < 10_000 ? Goal.NONE : Goal.median(MILLIS_PER_WORKER * size);
    }

    private String more(Map<String, Integer> before) throws IOException, InterruptedException {
        return ecs.calls().entrySet().stream()
                .map(call -> Map.entry(call.getKey(), call.getValue() - before.getOrDefault(call.getKey(), 0)))
                .filter(call -> call.getValue() > 0)
                .map(call -> call.getKey() + " " + call.getValue())
                .collect(Collectors.joining(", "));
    }

    private void judge(String fleet, SweepRun sweep, Map<String, Integer> planted) {
        planted.forEach((kind, number) -> {
            ResultTable.note(
                    "%-21s planted %,6d   found %,6d   healed %,6d",
                    kind, number, sweep.found(kind), sweep.healed(kind));
            if (sweep.found(kind) != number) {
                wrong.add("%s: %s %s planted, %s found".formatted(fleet, number, kind, sweep.found(kind)));
            }
        });
        int stopped = STOPPABLE.stream().mapToInt(sweep::healed).sum();
        int allowed = sweep.stopsPerMinute() * sweep.minutes();
        ResultTable.note("stops: %d of %d allowed, %d were left", stopped, allowed, sweep.overBudget());
        if (stopped > allowed) {
            wrong.add("%s: %s stopped, %s allowed".formatted(fleet, stopped, allowed));
        }
        sweep.failures().forEach(failure -> wrong.add(fleet + ": " + failure));
    }

    boolean isGood() {
        wrong.forEach(what -> ResultTable.note("WRONG: %s", what));
        return wrong.isEmpty();
    }
}
