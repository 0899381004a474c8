package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.RestClient.JsonResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two groups of users: {@code gold} with a pool of its own, and {@code bulk}, whose workers fit on
 * no host, so that their launches never end. One launch a second.
 */
@ExtendWith(StackExtension.class)
class GroupTest {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTest.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final String GOLD = "berth-worker-gold";
    private static final String BULK = "berth-worker-bulk";
    /** So many seconds would the next user wait in their queue. */
    private static final int FLOOD = 20;

    private static final Duration OWN_TURN = Duration.ofSeconds(12);

    private final Stack stack;
    private final Stack grouped;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private final FleetOperator operator;
    private final TemporalCli temporal;
    private final List<Trader> bulk = new ArrayList<>();

    GroupTest(Stack stack) throws Exception {
        this.stack = stack;
        this.grouped = stack.with(Map.of(
                "BERTH_GROUPS_GOLD_TASK_DEFINITION", GOLD,
                "BERTH_GROUPS_GOLD_CAPACITY_PROVIDER", "gold-hosts",
                "BERTH_GROUPS_BULK_TASK_DEFINITION", BULK,
                "BERTH_GROUPS_BULK_POOL_TARGET", "0",
                "BERTH_LAUNCH_PER_SECOND", "1"));
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.operator = FleetOperator.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void configureGroups() throws Exception {
        Eventually.fullPool(redis);
        ObjectNode gold = ecs.definition().deepCopy();
        ecs.register(gold.put("family", GOLD));
        ObjectNode large = ecs.definition().deepCopy();
        ((ObjectNode) large.path("containerDefinitions").path(0))
                .put("memory", 1_000_000)
                .put("memoryReservation", 1_000_000);
        ecs.register(large.put("family", BULK));
        stop();
        grouped.berth("up");
    }

    /** The API reads the groups at its start, and the local SQS makes their queues. */
    private void stop() throws Exception {
        stack.process("api").kill();
        stack.process("sqs").kill();
    }

    @AfterEach
    void removeGroups() throws Exception {
        for (Trader trader : bulk) {
            operator.tell("/workers/" + trader.user() + ":suspend", "its test is over");
        }
        stop();
        for (String pool : List.of("pool:gold", "pool:bulk")) {
            temporal.workflow("terminate", "--workflow-id", pool, "--reason", "test");
        }
        for (String task : redis.sorted("pool:idle:gold")) {
            ecs.stop(task);
        }
        stack.berth("up");
    }

    @Test
    @Tag("D4")
    @Tag("D5")
    @Tag("X23")
    @DisplayName("Users get workers of their group from its own pool, and a flood of one group delays no other")
    void groupsHaveWorkersOfTheirOwn() throws Exception {
        Trader first = member("gold", "group-gold-1");
        Trader second = member("gold", "group-gold-2");
        Trader usual = stack.trader("group-usual");
        assertThat(operator.put("/groups/silver/users/group-usual", "").status())
                .isEqualTo(404);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(redis.sorted("pool:idle:gold")).hasSize(1));
        List<String> usualPool = Eventually.fullPool(redis);

        flood();
        assertThat(worker(first, "CLAIM", GOLD)).isNotIn(usualPool);
        assertThat(worker(usual, "CLAIM", "berth-worker")).isIn(usualPool);
        Instant asked = Instant.now();
        String cold = worker(second, "COLD", GOLD);
        Duration turn = Duration.between(asked, Instant.now());
        LOG.warn("a cold start beside {} waiting launches took {} ms", FLOOD, turn.toMillis());
        assertThat(turn).isLessThan(OWN_TURN);
        assertThat(ecs.task(cold).path("capacityProviderName").asText()).isEqualTo("gold-hosts");
        for (Trader trader : bulk) {
            assertThat(trader.worker().path("state").asText()).isIn("LAUNCHING", "RECONNECTING");
        }

        assertThat(new BerthCommand(grouped).done("explain group-gold-1")).containsPattern("group +gold");
        assertThat(new BerthCommand(grouped).done("group gold")).contains("group-gold-1\ngroup-gold-2\n");
        assertThat(new BerthCommand(grouped).done("group gold remove group-gold-1"))
                .contains("no longer in group gold");
        operator.tell("/workers/group-gold-1:stop", "a worker of the default group");
        Eventually.worker(first, "TERMINATED", TIMEOUT);
        assertThat(worker(first, "CLAIM", "berth-worker")).isIn(usualPool);
        assertThat(operator.get("/audit?userId=group-gold-1").body().toString())
                .contains("PUT_INTO_GROUP", "TAKE_OUT_OF_GROUP");
    }

    private Trader member(String group, String user) throws Exception {
        JsonResponse put = operator.put("/groups/%s/users/%s".formatted(group, user), "");
        assertThat(put.status()).as("%s", put.body()).isEqualTo(200);
        return stack.trader(user);
    }

    /** Each of them waits for a launch, fails for want of room, and waits again. */
    private void flood() throws Exception {
        for (int number = 0; number < FLOOD; number++) {
            Trader trader = member("bulk", "group-bulk-" + number);
            bulk.add(trader);
            assertThat(trader.post("/v1/worker").status()).isLessThan(300);
        }
    }

    /** Fills an order and returns the id of the worker's task. */
    private String worker(Trader trader, String origin, String family) throws Exception {
        Eventually.filled(trader, "o-" + trader.worker().path("epoch").asInt());
        JsonNode worker = trader.worker();
        assertThat(worker.path("origin").asText()).as("%s", worker).isEqualTo(origin);
        String task = EcsApi.idOf(worker);
        assertThat(ecs.task(task).path("taskDefinitionArn").asText()).contains("/" + family + ":");
        return task;
    }
}
