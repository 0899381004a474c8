package dev.berth.acceptance.bench;

import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
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
 * What a sweep over a large fleet takes, and whether it finds what was planted and stops no more than it may. Two sweeps
 * by hand are two proofs when half of {@code BERTH_SWEEP_EVERY} is between them: 10 s here, see {@code berth}.
 */
final class SweepTime {
    /** Two sights that prove something are so far apart; real sweeps are a minute apart. */
    private static final Duration SECOND_PROOF = Duration.ofSeconds(6);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(3);
    private static final List<String> STOPPABLE =
            List.of("TASK_WITHOUT_MARK", "FROZEN_WORKER", "DUPLICATE_TASK", "UNOWNED_TASK");
    /** A sweep reads what became of lifecycles since a minute before the last one: here it is nothing any more. */
    private static final Duration CHANGES_FORGOTTEN = Duration.ofSeconds(61);

    private static final int MORE_LOOKS = 5;
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

    /** Prints as it goes: the large fleets take minutes to be planted. */
    void measure(List<Integer> sizes) throws IOException, InterruptedException, ExecutionException {
        // Nobody is started for users who do not exist; nor afterwards, so the stack is good for nothing else.
        ecs.hosts(0);
        try (var _ = new PausedSweeps(stack, "sweeps are started by hand, one at a time");
                StandIns standIns = new StandIns(temporal)) {
            awaitCertainty();
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

    private void awaitCertainty() throws InterruptedException {
        while (!SweepRun.of(temporal).couldLook()) {
            Thread.sleep(LOOK_AGAIN);
        }
    }

    private void measure(int size, Map<String, Integer> planted) throws IOException, InterruptedException {
        long api = stack.process("api").pid();
        double before = Memory.residentMebibytes(api);
        Memory.forgetPeak(api);
        Samples first = Samples.of(SweepLook.millis(temporal));
        Thread.sleep(CHANGES_FORGOTTEN);
        Samples looks = new Samples();
        Samples spent = new Samples();
        for (int more = 0; more < MORE_LOOKS; more++) {
            Thread.sleep(SECOND_PROOF);
            Duration already = FleetCost.spent(api);
            looks.add(SweepLook.millis(temporal));
            spent.add(FleetCost.spent(api).minus(already).toNanos() / 1e6);
        }
        Thread.sleep(SECOND_PROOF);
        Map<String, Integer> callsBefore = ecs.calls();
        long commands = redis.commandsProcessed();
        SweepRun sweep = SweepRun.of(temporal);
        commands = redis.commandsProcessed() - commands;
        String calls = more(callsBefore);
        looks.add(sweep.lookMillis());
        Samples beside = new Samples();
        for (int more = 0; more < MORE_LOOKS; more++) {
            Thread.sleep(SECOND_PROOF);
            beside.add(SweepLook.millis(temporal));
        }
        String fleet = String.format(Locale.ROOT, "%,d workers", size);
        Table.row("sweep of " + fleet + ": the look", looks, goal(size));
        Table.row("  the first, when all have just begun", first, Goal.NONE);
        Table.row("  beside the starts of whom it healed, which fail", beside, Goal.NONE);
        Table.row("  CPU of the API for a look", spent, Goal.NONE);
        Table.row("  the heals after it", Samples.of(sweep.healMillis()), Goal.NONE);
        Table.row("  from start to end", Samples.of(sweep.millis()), Goal.NONE);
        Table.row("  biggest event of its history, kB", Samples.of(sweep.biggestEventKilobytes()), KILOBYTES);
        Table.row("  RSS of the API at its peak, MiB", Samples.of(Memory.peakMebibytes(api)), Goal.NONE);
        Table.note("RSS before: %.0f MiB; ECS: %s; Redis: %,d commands", before, calls, commands);
        judge(fleet, sweep, planted);
    }

    /** A small fleet has none: there a look is as long as its calls take. */
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
            Table.note(
                    "%-21s planted %,6d   found %,6d   healed %,6d",
                    kind, number, sweep.found(kind), sweep.healed(kind));
            if (sweep.found(kind) != number) {
                wrong.add("%s: %d %s planted, %d found".formatted(fleet, number, kind, sweep.found(kind)));
            }
        });
        int stopped = STOPPABLE.stream().mapToInt(sweep::healed).sum();
        int allowed = sweep.stopsPerMinute() * sweep.minutes();
        Table.note("stops: %d of %d allowed, %d were left", stopped, allowed, sweep.overBudget());
        if (stopped > allowed) {
            wrong.add("%s: %d stopped, %d allowed".formatted(fleet, stopped, allowed));
        }
        sweep.failures().forEach(failure -> wrong.add(fleet + ": " + failure));
    }

    boolean isGood() {
        wrong.forEach(what -> Table.note("WRONG: %s", what));
        return wrong.isEmpty();
    }
}
