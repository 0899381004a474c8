package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
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

/** How long a user whose worker gets SIGKILL is without one, while ten users trade; and what became of the orders. */
final class Kills {
    private static final Goal TOLD = Goal.p99(5_000);
    private static final Goal UNTOLD = Goal.p99(35_000);
    /** At the venue, so that many orders are in hand when a worker dies. */
    private static final int VENUE_MILLIS = 150;
    /** Between two kills at the longest, so that they meet the pool in every state. */
    private static final int PAUSE_MILLIS = 1_000;
    /** Nobody tells of these: each takes half a minute, so they overlap, but their new workers do not start at once. */
    private static final Duration STAGGER = Duration.ofSeconds(4);

    private final Stack stack;
    private final long seed;
    private final Random random;
    private final Samples told = new Samples();
    private final Samples untold = new Samples();
    private final Map<String, Integer> origins = new ConcurrentSkipListMap<>();
    private final OrderAudit audit;
    private int users;

    Kills(Stack stack, long seed) {
        this.stack = stack;
        this.seed = seed;
        this.random = new Random(seed);
        this.audit = new OrderAudit(stack);
    }

    void measure(int kills, int silentKills) throws IOException, InterruptedException, ExecutionException {
        LocalEcsControl ecs = new LocalEcsControl(stack);
        Crew crew = new Crew(stack, random, false);
        try (crew) {
            stack.venue().call("PUT", "/_control/faults", "{\"delayMillis\":" + VENUE_MILLIS + "}");
            for (int number = 0; number < kills; number++) {
                Thread.sleep(random.nextInt(PAUSE_MILLIS));
                told.add(kill(crew.any()));
            }
            ecs.dropEvents(true);
            try (var _ = new PausedSweeps(stack, "their marks alone shall tell of the dead")) {
                killUntold(crew, silentKills);
            }
        } finally {
            ecs.dropEvents(false);
            stack.venue().call("PUT", "/_control/faults", "{}");
        }
        audit.check(crew.all(), List.of());
        users = crew.all().size();
        BenchUser.stop(crew.all().stream().map(OrderFlow::user).toList());
    }

    private void killUntold(Crew crew, int kills) throws IOException, InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Double>> under = new ArrayList<>();
            for (int number = 0; number < kills; number++) {
                OrderFlow victim = crew.at(number % Crew.SIZE);
                under.add(threads.submit(() -> kill(victim)));
                Thread.sleep(STAGGER);
            }
            for (Future<Double> one : under) {
                untold.add(one.get());
            }
        }
    }

    /** Milliseconds until the next worker is ACTIVE, as it says itself; both times are of this machine's clock. */
    private double kill(OrderFlow victim) throws IOException, InterruptedException {
        JsonNode before = victim.user().awaitActive(1);
        victim.died();
        Instant killed = Instant.now();
        ProcessHandle.of(before.path("pid").asLong()).ifPresent(ProcessHandle::destroyForcibly);
        JsonNode after = victim.user().awaitActive(before.path("epoch").asLong() + 1);
        double millis =
                OrderLatency.millis(killed, Instant.parse(after.path("since").asText()));
        origins.merge(after.path("origin").asText(), 1, Integer::sum);
        return millis;
    }

    boolean isGood() {
        return audit.isGood();
    }

    void print() {
        Table.row("worker killed to the next ACTIVE, with events", told, TOLD);
        Table.row("worker killed to the next ACTIVE, without events", untold, UNTOLD);
        Table.note(
                "seed %d; %d at a time of %d users, since more than 5 deaths of one in 10 min are held back; next by %s",
                seed, Crew.SIZE, users, origins);
        audit.print();
    }
}
