package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** More users at once than the pool has workers. */
@ExtendWith(OnTheStack.class)
class ClaimCrowdTest {
    private static final int USERS = 8;
    private static final int POOL = 2;
    /** Longer than the SDK's own retries. */
    private static final Duration THROTTLED = Duration.ofSeconds(8);

    private static final Duration ALL_START = Duration.ofMinutes(2);
    /** For so long SQS may give a claim to the poll of a pool worker that is gone. */
    private static final Duration LONGEST_POLL = Duration.ofSeconds(20);

    private final Stack stack;
    private final Ecs ecs;
    private final List<Trader> crowd = new ArrayList<>();

    ClaimCrowdTest(Stack stack) {
        this.stack = stack;
        this.ecs = Ecs.of(stack);
    }

    @AfterEach
    void goHome() throws Exception {
        ecs.faults("{}");
        for (Trader trader : crowd) {
            trader.delete("/v1/worker");
        }
        for (Trader trader : crowd) {
            Eventually.worker(trader, "TERMINATED", ALL_START);
        }
        Eventually.fullPool(RedisKeyspace.of(stack));
    }

    @Test
    @DisplayName(
            "A4 X8 a launch that ECS throttles is tried until ECS takes it, and neither user nor pool is forgotten")
    void throttled() throws Exception {
        Eventually.fullPool(RedisKeyspace.of(stack));
        ecs.faults("{\"throttled\":[\"RunTask\"]}");
        for (int number = 1; number <= POOL + 1; number++) {
            Trader trader = stack.trader("throttled-" + number);
            crowd.add(trader);
            assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        }
        await().during(THROTTLED)
                .atMost(THROTTLED.multipliedBy(2))
                .until(() -> states().stream().filter("ACTIVE"::equals).count() <= POOL);
        assertThat(states()).contains("LAUNCHING");
        ecs.faults("{}");
        UserTasks tasks = UserTasks.of(stack);
        for (Trader trader : crowd) {
            JsonNode worker = Eventually.activeWorker(trader, 1, ALL_START);
            assertThat(worker.path("deaths").asInt()).isZero();
            assertThat(Eventually.tasks(tasks, trader, 1, ALL_START)).containsExactly(Ecs.idOf(worker));
        }
    }

    private List<String> states() throws Exception {
        List<String> states = new ArrayList<>();
        for (Trader trader : crowd) {
            states.add(trader.worker().path("state").asText());
        }
        return states;
    }

    @Test
    @DisplayName("A4 eight users at once and two pool workers: no idle worker is claimed twice, the others start cold,"
            + " and every user has one worker of their own (A1)")
    void eightAtOnce() throws Exception {
        Eventually.fullPool(RedisKeyspace.of(stack));
        await().atMost(LONGEST_POLL.multipliedBy(5))
                .until(() -> ecs.lastStop().isBefore(Instant.now().minus(LONGEST_POLL)));
        List<String> idle = Eventually.fullPool(RedisKeyspace.of(stack));
        for (int number = 1; number <= USERS; number++) {
            crowd.add(stack.trader("crowd-" + number));
        }
        // So the cold starts do not take the time that the claims have for their answers.
        ecs.faults("{\"runTaskDelayMillis\":3000}");
        try (var together = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (Trader trader : crowd) {
                answers.add(together.submit(() -> trader.post("/v1/worker").status()));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(202);
            }
        }
        Map<String, String> origins = new HashMap<>();
        UserTasks tasks = UserTasks.of(stack);
        for (Trader trader : crowd) {
            JsonNode worker = Eventually.activeWorker(trader, 1, ALL_START);
            assertThat(worker.path("deaths").asInt()).isZero();
            String task = Ecs.idOf(worker);
            // One that was claimed and answered too late may not have heard yet that it has no user.
            assertThat(Eventually.tasks(tasks, trader, 1, ALL_START)).containsExactly(task);
            assertThat(Processes.lives(worker.path("pid").asLong())).isTrue();
            origins.put(task, worker.path("origin").asText());
        }
        assertThat(origins).hasSize(USERS);
        // So many processes that start at once can make the answer to a claim late: then it is void, and its user
        // starts cold.
        assertThat(idle)
                .filteredOn(origins::containsKey)
                .isNotEmpty()
                .allSatisfy(task -> assertThat(origins).containsEntry(task, "CLAIM"));
        // A pool worker that came up while the crowd was still asking may have been claimed as well.
        assertThat(origins.values()).filteredOn("COLD"::equals).hasSizeGreaterThanOrEqualTo(USERS - 4);
    }
}
