package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * Ten users trade while their workers, and the process of API and orchestrator, are killed at random, and the venue
 * drops one in twenty of its answers after it took the order.
 */
final class Turmoil {
    private static final String FAULTS = "{\"dropAnswer\":0.05,\"delayMillis\":50}";
    private static final int SHORTEST_PAUSE_MILLIS = 300;
    private static final int LONGEST_PAUSE_MILLIS = 2_000;
    /** The API, whose start takes longer, is killed each time that so many more were accepted. */
    private static final int ORDERS_PER_API_KILL = 150;

    private final Stack stack;
    private final long seed;
    private final Random random;
    private final OrderAudit audit;
    private Duration took = Duration.ZERO;
    private int workersKilled;
    private int apiKilled;

    Turmoil(Stack stack, long seed) {
        this.stack = stack;
        this.seed = seed;
        this.random = new Random(seed);
        this.audit = new OrderAudit(stack);
    }

    /** Goes on until so many orders were accepted and the API was killed at least once, then waits until each is final. */
    void measure(int orders) throws IOException, InterruptedException {
        Instant began = Instant.now();
        Crew crew = new Crew(stack, random);
        try (crew) {
            stack.venue().call("PUT", "/_control/faults", FAULTS);
            int apiKills = Math.max(1, orders / ORDERS_PER_API_KILL);
            while (accepted(crew) < orders || apiKilled < apiKills) {
                Thread.sleep(random.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
                if (apiKilled < apiKills && accepted(crew) > orders * (apiKilled + 1) / (apiKills + 1)) {
                    killApi();
                } else {
                    killWorker(crew.any());
                }
            }
        } finally {
            stack.venue().call("PUT", "/_control/faults", "{}");
        }
        audit.check(crew.all());
        took = Duration.between(began, Instant.now());
        BenchUser.stop(crew.all().stream().map(OrderFlow::user).toList());
    }

    private static int accepted(Crew crew) {
        return crew.all().stream().mapToInt(flow -> flow.accepted().size()).sum();
    }

    /** One that is just being started is left to the next kill. */
    private void killWorker(OrderFlow victim) throws IOException, InterruptedException {
        JsonNode worker = victim.user().trader().worker();
        if (BenchUser.isActive(worker)) {
            victim.died();
            workersKilled++;
            ProcessHandle.of(worker.path("pid").asLong()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void killApi() throws IOException, InterruptedException {
        stack.process("api").kill();
        apiKilled++;
        stack.berth("up");
    }

    boolean isGood() {
        return audit.isGood();
    }

    /** What is wrong; empty when nothing is. */
    List<String> wrong() {
        return audit.wrong();
    }

    void print() {
        Table.note(
                "turmoil of %d s, seed %d: %d workers and %d times the API killed, 5 %% of the venue's answers dropped",
                took.toSeconds(), seed, workersKilled, apiKilled);
        audit.print();
    }
}
