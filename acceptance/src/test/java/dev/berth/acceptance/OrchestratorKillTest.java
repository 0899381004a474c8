package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API and the orchestrator are killed while users start and stop, at moments that a seed decides. More of it:
 * {@code -Dberth.kill-rounds=20}; the same again: {@code -Dberth.kill-seed=…}.
 */
@Order(1)
@ExtendWith(OnTheStack.class)
class OrchestratorKillTest {
    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorKillTest.class);
    private static final int ROUNDS = Integer.getInteger("berth.kill-rounds", 2);
    private static final long SEED = Long.getLong("berth.kill-seed", System.nanoTime());
    private static final int USERS = 5;
    /** A start is over within 700 ms, so the kill falls into any part of it. */
    private static final int LATEST_KILL_MILLIS = 900;

    private static final Duration SETTLED = Duration.ofSeconds(60);

    private final Stack stack;
    private final LocalProcess api;
    private final UserTasks tasks;
    private final Random random = new Random(SEED);
    private final List<Trader> traders = new ArrayList<>();

    OrchestratorKillTest(Stack stack) {
        this.stack = stack;
        this.api = stack.process("api");
        this.tasks = UserTasks.of(stack);
    }

    /** What a user was last told. */
    private enum Wanted {
        WORKER,
        NONE,
        /** The answer was lost with the API. */
        UNKNOWN
    }

    @BeforeEach
    void users() throws Exception {
        for (int number = 1; number <= USERS; number++) {
            traders.add(stack.trader("kill-" + number));
        }
    }

    @AfterEach
    void goHome() throws Exception {
        stack.berth("up");
        for (Trader trader : traders) {
            trader.delete("/v1/worker");
        }
        for (Trader trader : traders) {
            Eventually.worker(trader, "TERMINATED", SETTLED);
        }
    }

    @Test
    @DisplayName("B7 the orchestrator is killed while users start, are claimed for and stop: what was answered comes"
            + " true, and nobody has two workers")
    void killedAtRandomMoments() throws Exception {
        LOG.warn("{} rounds, -Dberth.kill-seed={}", ROUNDS, SEED);
        for (int round = 1; round <= ROUNDS; round++) {
            List<Wanted> wanted = turmoil();
            stack.berth("up");
            for (int user = 0; user < USERS; user++) {
                assertSettled(traders.get(user), wanted.get(user), "round " + round + ", seed " + SEED);
            }
        }
    }

    /** Everybody asks for something at once, one or two times; then the API is killed. */
    private List<Wanted> turmoil() throws Exception {
        try (var together = Executors.newVirtualThreadPerTaskExecutor();
                var clock = Executors.newSingleThreadScheduledExecutor()) {
            List<Future<Wanted>> asked = new ArrayList<>();
            for (Trader trader : traders) {
                boolean first = random.nextBoolean();
                boolean second = random.nextBoolean();
                asked.add(together.submit(both(trader, first, second)));
            }
            Future<Boolean> dies =
                    clock.schedule(this::kill, random.nextInt(LATEST_KILL_MILLIS), TimeUnit.MILLISECONDS);
            List<Wanted> wanted = new ArrayList<>();
            for (Future<Wanted> answer : asked) {
                wanted.add(answer.get());
            }
            dies.get();
            return wanted;
        }
    }

    private static Callable<Wanted> both(Trader trader, boolean first, boolean second) {
        return () -> ask(trader, first) == Wanted.UNKNOWN ? Wanted.UNKNOWN : ask(trader, second);
    }

    private static Wanted ask(Trader trader, boolean worker) throws InterruptedException {
        try {
            Answer answer = worker ? trader.post("/v1/worker") : trader.delete("/v1/worker");
            assertThat(answer.status()).as("%s", answer.body()).isIn(202, 503);
            if (answer.status() != 202) {
                return Wanted.UNKNOWN;
            }
            return worker ? Wanted.WORKER : Wanted.NONE;
        } catch (IOException cutOff) {
            return Wanted.UNKNOWN;
        }
    }

    private boolean kill() throws IOException, InterruptedException {
        api.kill();
        return true;
    }

    private void assertSettled(Trader trader, Wanted wanted, String when) throws Exception {
        await().atMost(SETTLED).untilAsserted(() -> {
            JsonNode worker = trader.worker();
            List<String> running = tasks.running(trader);
            String state = worker.path("state").asText();
            assertThat(state)
                    .as("%s: %s", when, worker)
                    .isIn(
                            switch (wanted) {
                                case WORKER -> List.of("ACTIVE");
                                case NONE -> List.of("TERMINATED");
                                // A worker whose claim the dead one had sent is TERMINATED until it is known, then
                                // ACTIVE.
                                case UNKNOWN -> List.of("ACTIVE", "TERMINATED");
                            });
            assertThat(worker.path("unproven")).as("%s: %s", when, worker).isEmpty();
            if (state.equals("ACTIVE")) {
                assertThat(running).as("%s: %s", when, worker).containsExactly(Ecs.idOf(worker));
                assertThat(Processes.lives(worker.path("pid").asLong()))
                        .as(when)
                        .isTrue();
            } else {
                assertThat(running).as("%s: %s", when, worker).isEmpty();
            }
        });
    }
}
