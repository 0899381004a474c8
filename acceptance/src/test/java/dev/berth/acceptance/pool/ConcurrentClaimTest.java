package dev.berth.acceptance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.UserTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** More users start at once than the pool has workers. */
@ExtendWith(StackExtension.class)
class ConcurrentClaimTest {
    private static final Logger LOG = LoggerFactory.getLogger(ConcurrentClaimTest.class);
    private static final int USERS = 8;
    private static final int POOL = 2;
    /** Longer than the SDK's own retries. */
    private static final Duration THROTTLED = Duration.ofSeconds(8);

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Stack stack;
    private final EcsApi ecs;
    private final List<Trader> traders = new ArrayList<>();

    ConcurrentClaimTest(Stack stack) {
        this.stack = stack;
        this.ecs = EcsApi.of(stack);
    }

    @AfterEach
    void stopWorkers() throws Exception {
        ecs.faults("{}");
        for (Trader trader : traders) {
            trader.delete("/v1/worker");
        }
        for (Trader trader : traders) {
            Eventually.worker(trader, "TERMINATED", TIMEOUT);
        }
        Eventually.fullPool(RedisKeyspace.of(stack));
    }

    @Test
    @Tag("A4")
    @Tag("X8")
    @Tag("X22")
    @DisplayName("A launch that ECS throttles is retried until it succeeds, for users and for the pool")
    void throttledLaunchIsRetried() throws Exception {
        Eventually.fullPool(RedisKeyspace.of(stack));
        ecs.faults("{\"throttled\":[\"RunTask\"]}");
        for (int number = 1; number <= POOL + 1; number++) {
            Trader trader = stack.trader("throttled-" + number);
            traders.add(trader);
            assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        }
        await().during(THROTTLED)
                .atMost(THROTTLED.multipliedBy(2))
                .until(() -> states().stream().filter("ACTIVE"::equals).count() <= POOL);
        assertThat(states()).contains("LAUNCHING");
        ecs.faults("{}");
        Instant answers = Instant.now();
        UserTasks tasks = UserTasks.of(stack);
        for (Trader trader : traders) {
            Worker worker = Eventually.activeWorker(trader, 1, TIMEOUT);
            assertThat(worker.deaths()).isZero();
            assertThat(Eventually.tasks(tasks, trader, 1, TIMEOUT)).containsExactly(worker.taskId());
        }
        LOG.warn(
                "all are ACTIVE {} ms after ECS answers again",
                Duration.between(answers, Instant.now()).toMillis());
    }

    private List<String> states() throws Exception {
        List<String> states = new ArrayList<>();
        for (Trader trader : traders) {
            states.add(trader.worker().state());
        }
        return states;
    }

    @Test
    @Tag("A4")
    @Tag("A1")
    @DisplayName("Eight simultaneous starts claim no idle worker twice; each user gets one worker")
    void simultaneousStartsClaimEachWorkerOnce() throws Exception {
        List<String> idle = Eventually.fullPool(RedisKeyspace.of(stack));
        for (int number = 1; number <= USERS; number++) {
            traders.add(stack.trader("crowd-" + number));
        }
        // Cold starts would compete for the CPU while the claims wait for their answers.
        ecs.faults("{\"runTaskDelayMillis\":3000}");
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (Trader trader : traders) {
                answers.add(executor.submit(() -> trader.post("/v1/worker").status()));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(202);
            }
        }
        Map<String, String> origins = new HashMap<>();
        UserTasks tasks = UserTasks.of(stack);
        for (Trader trader : traders) {
            Worker worker = Eventually.activeWorker(trader, 1, TIMEOUT);
            assertThat(worker.deaths()).isZero();
            String task = worker.taskId();
            // A worker whose answer came too late may not have stopped yet.
            assertThat(Eventually.tasks(tasks, trader, 1, TIMEOUT)).containsExactly(task);
            assertThat(Processes.lives(worker.pid())).isTrue();
            origins.put(task, worker.origin());
        }
        assertThat(origins).hasSize(USERS);
        // Many simultaneous starts may delay the answer to a claim: then the claim is void, and its
        // user starts cold.
        assertThat(idle)
                .filteredOn(origins::containsKey)
                .isNotEmpty()
                .allSatisfy(task -> assertThat(origins).containsEntry(task, "CLAIM"));
        // A pool worker that started meanwhile may have been claimed as well.
        assertThat(origins.values()).filteredOn("COLD"::equals).hasSizeGreaterThanOrEqualTo(USERS - 4);
    }
}
