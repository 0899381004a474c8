package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures how long a killed worker's user is without a worker, and audits the orders. */
final class RecoveryTime {
    private static final Goal WITH_EVENTS = Goal.p99(5_000);
    private static final Goal WITHOUT_EVENTS = Goal.p99(35_000);
    /** The venue's delay, so that killed workers have orders in hand. */
    private static final int VENUE_MILLIS = 150;
    /** The longest pause between two kills, so that they meet the pool in every state. */
    private static final int PAUSE_MILLIS = 1_000;
    /** Silent kills take half a minute each, so they overlap, but their successors start apart. */
    private static final Duration STAGGER = Duration.ofSeconds(4);

    private final Stack stack;
    private final long seed;
    private final Random random;
    private final Measurements withEvents = new Measurements();
    private final Measurements withoutEvents = new Measurements();
    private final Map<String, Integer> origins = new ConcurrentSkipListMap<>();
    private final OrderAudit audit;
    private int users;

    RecoveryTime(Stack stack, long seed) {
        this.stack = stack;
        this.seed = seed;
        this.random = new Random(seed);
        this.audit = new OrderAudit(stack);
    }

    void measure(int kills, int silentKills) throws IOException, InterruptedException, ExecutionException {
        LocalEcsControl ecs = new LocalEcsControl(stack);
        TradingUsers crew = new TradingUsers(stack, random, List.of(LocalAccount.ALPACA), false);
        try (crew) {
            stack.venue().call("PUT", "/_control/faults", "{\"delayMillis\":" + VENUE_MILLIS + "}");
            for (int number = 0; number < kills; number++) {
                Thread.sleep(random.nextInt(PAUSE_MILLIS));
                withEvents.add(kill(crew.any()));
            }
            ecs.dropEvents(true);
            try (var _ = new PausedSweeps(stack, "only heartbeat expiry must find the dead workers")) {
                killWithoutEvents(crew, silentKills);
            }
        } finally {
            ecs.dropEvents(false);
            stack.venue().call("PUT", "/_control/faults", "{}");
        }
        audit.check(crew.all(), List.of());
        users = crew.all().size();
        BenchUser.stop(crew.all().stream().map(OrderFlow::user).toList());
    }

    private void killWithoutEvents(TradingUsers crew, int kills)
            throws IOException, InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Double>> running = new ArrayList<>();
            for (int number = 0; number < kills; number++) {
                OrderFlow victim = crew.user(number % TradingUsers.SIZE);
                running.add(threads.submit(() -> kill(victim)));
                Thread.sleep(STAGGER);
            }
            for (Future<Double> one : running) {
                withoutEvents.add(one.get());
            }
        }
    }

    /** Milliseconds until the next worker is ACTIVE; both times are of this machine's clock. */
    private double kill(OrderFlow victim) throws IOException, InterruptedException {
        Worker before = victim.user().awaitActive(1);
        victim.countDeath();
        Instant killed = Instant.now();
        ProcessHandle.of(before.pid()).ifPresent(ProcessHandle::destroyForcibly);
        Worker after = victim.user().awaitActive(before.epoch() + 1);
        origins.merge(String.valueOf(after.origin()), 1, Integer::sum);
        return OrderLatency.millis(killed, after.since());
    }

    boolean isGood() {
        return audit.isGood();
    }

    void print() {
        ResultTable.row("worker killed to the next ACTIVE, with events", withEvents, WITH_EVENTS);
        ResultTable.row("worker killed to the next ACTIVE, without events", withoutEvents, WITHOUT_EVENTS);
        ResultTable.note(
                "seed %d; %d at a time of %d users, since more than 5 deaths of one in 10 min are held back; next by %s",
                seed, TradingUsers.SIZE, users, origins);
        audit.print();
    }
}
