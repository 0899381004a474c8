package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.UserTasks;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API and the orchestrator are killed at random moments while users start and stop.
 * {@code -Dberth.kill-rounds=20} runs more rounds, {@code -Dberth.kill-seed=…} repeats a run.
 */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class OrchestratorKillTest {
    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorKillTest.class);
    private static final int ROUNDS = Integer.getInteger("berth.kill-rounds", 2);
    private static final long SEED = Long.getLong("berth.kill-seed", System.nanoTime());
    private static final int USERS = 5;
    /** A start takes up to 700 ms, so the kill can fall into any part of it. */
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

    /** The last answer that a user got. */
    private enum Wanted {
        WORKER,
        NONE,
        UNKNOWN
    }

    @BeforeEach
    void createTraders() throws Exception {
        for (int number = 1; number <= USERS; number++) {
            traders.add(stack.trader("kill-" + number));
        }
    }

    @AfterEach
    void stopWorkers() throws Exception {
        stack.berth("up");
        for (Trader trader : traders) {
            trader.delete("/v1/worker");
        }
        for (Trader trader : traders) {
            Eventually.worker(trader, "TERMINATED", SETTLED);
        }
    }

    @Test
    @Tag("B7")
    @DisplayName("After an orchestrator kill every answered request takes effect, and no user has two workers")
    void randomKillsKeepAnsweredRequests() throws Exception {
        LOG.warn("{} rounds, -Dberth.kill-seed={}", ROUNDS, SEED);
        for (int round = 1; round <= ROUNDS; round++) {
            List<Wanted> wanted = requestsDuringKill();
            stack.berth("up");
            for (int user = 0; user < USERS; user++) {
                assertSettled(traders.get(user), wanted.get(user), "round " + round + ", seed " + SEED);
            }
        }
    }

    /** Sends one or two requests per user at once, and kills the API meanwhile. */
    private List<Wanted> requestsDuringKill() throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
                var clock = Executors.newSingleThreadScheduledExecutor()) {
            List<Future<Wanted>> answers = new ArrayList<>();
            for (Trader trader : traders) {
                boolean first = random.nextBoolean();
                boolean second = random.nextBoolean();
                answers.add(executor.submit(both(trader, first, second)));
            }
            Future<Boolean> kill =
                    clock.schedule(this::kill, random.nextInt(LATEST_KILL_MILLIS), TimeUnit.MILLISECONDS);
            List<Wanted> wanted = new ArrayList<>();
            for (Future<Wanted> answer : answers) {
                wanted.add(answer.get());
            }
            kill.get();
            return wanted;
        }
    }

    private static Callable<Wanted> both(Trader trader, boolean first, boolean second) {
        return () -> ask(trader, first) == Wanted.UNKNOWN ? Wanted.UNKNOWN : ask(trader, second);
    }

    private static Wanted ask(Trader trader, boolean worker) throws InterruptedException {
        try {
            JsonResponse answer = worker ? trader.post("/v1/worker") : trader.delete("/v1/worker");
            assertThat(answer.status()).as("%s", answer.body()).isIn(202, 503);
            if (answer.status() != 202) {
                return Wanted.UNKNOWN;
            }
            return worker ? Wanted.WORKER : Wanted.NONE;
        } catch (IOException interrupted) {
            return Wanted.UNKNOWN;
        }
    }

    private boolean kill() throws IOException, InterruptedException {
        api.kill();
        return true;
    }

    private void assertSettled(Trader trader, Wanted wanted, String when) throws Exception {
        await().atMost(SETTLED).untilAsserted(() -> {
            Worker worker = trader.worker();
            List<String> running = tasks.running(trader);
            String state = worker.state();
            assertThat(state)
                    .as("%s: %s", when, worker)
                    .isIn(
                            switch (wanted) {
                                case WORKER -> List.of("ACTIVE");
                                case NONE -> List.of("TERMINATED");
                                // A worker whose claim was already sent is TERMINATED until it
                                // attaches.
                                case UNKNOWN -> List.of("ACTIVE", "TERMINATED");
                            });
            assertThat(worker.unproven()).as("%s: %s", when, worker).isEmpty();
            if (worker.isIn("ACTIVE")) {
                assertThat(running).as("%s: %s", when, worker).containsExactly(worker.taskId());
                assertThat(Processes.lives(worker.pid())).as(when).isTrue();
            } else {
                assertThat(running).as("%s: %s", when, worker).isEmpty();
            }
        });
    }
}
