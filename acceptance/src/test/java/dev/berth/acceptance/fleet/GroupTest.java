package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.EcsTask;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import dev.berth.acceptance.stack.TemporalCli;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two groups of users: {@code gold} with a pool of its own, and {@code bulk}, whose workers fit on
 * no host, so that their launches never end. One launch a second.
 */
@Tag("long")
@ExtendWith(StackExtension.class)
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupTest {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTest.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final String GOLD = "berth-worker-gold";
    private static final String BULK = "berth-worker-bulk";
    /** So many seconds would the next user wait in their queue. */
    private static final int FLOOD = 20;

    private static final List<String> WAITING = List.of("LAUNCHING", "RECONNECTING");

    private static final Duration OWN_TURN = Duration.ofSeconds(12);
    /** A process starts for it, one launch a second. */
    private static final Duration HAND_OVER = Duration.ofMinutes(2);

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

    @BeforeAll
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
    void endFlood() throws Exception {
        for (Trader trader : bulk) {
            operator.tell("/workers/" + trader.user() + ":suspend", "its test is over");
        }
        bulk.clear();
    }

    @AfterAll
    void removeGroups() throws Exception {
        stop();
        for (String pool : List.of("pool:gold", "pool:bulk")) {
            temporal.workflow("terminate", "--workflow-id", pool, "--reason", "test");
        }
        for (String task : ecs.running()) {
            if (isOfGold(ecs.task(task))) {
                ecs.stop(task);
            }
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
        awaitIdleGold();
        List<String> usualPool = Eventually.fullPool(redis);

        flood();
        assertThat(worker(first, "CLAIM", GOLD)).isNotIn(usualPool);
        assertThat(worker(usual, "CLAIM", "berth-worker")).isIn(usualPool);
        Instant asked = Instant.now();
        String cold = worker(second, "COLD", GOLD);
        Duration turn = Duration.between(asked, ecs.task(cold).pullStartedAt());
        LOG.warn("a cold start beside {} waiting launches took {} ms", FLOOD, turn.toMillis());
        assertThat(turn).isLessThan(OWN_TURN);
        assertThat(ecs.task(cold).capacityProviderName()).isEqualTo("gold-hosts");
        for (Trader trader : bulk) {
            assertThat(trader.worker().state()).isIn(WAITING);
        }

        assertThat(new BerthCommand(grouped).done("explain group-gold-1")).containsPattern("group +gold");
        assertThat(new BerthCommand(grouped).done("group gold")).contains("group-gold-1\ngroup-gold-2\n");
        assertThat(new BerthCommand(grouped).done("group gold --limit 1"))
                .containsPattern("^group-.*\nThere are more; the next page begins at group-.*\n$");
        assertThat(new BerthCommand(grouped).done("group gold remove group-gold-1"))
                .contains("no longer in group gold");
        operator.tell("/workers/group-gold-1:stop", "a worker of the default group");
        Eventually.worker(first, "TERMINATED", TIMEOUT);
        assertThat(worker(first, "CLAIM", "berth-worker")).isIn(usualPool);
        assertThat(operator.get("/audit?userId=group-gold-1").body().toString())
                .contains("PUT_INTO_GROUP", "TAKE_OUT_OF_GROUP");
    }

    @Test
    @Tag("D5")
    @Tag("X21")
    @DisplayName("An upgrade hands a group's user over to the newest revision of the group's own task definition,"
            + " by its own pool, and renews that pool")
    void upgradeStaysInGroup() throws Exception {
        List<String> usualPool = Eventually.fullPool(redis);
        try (SteadyTrader user = steadyMember("group-upgraded")) {
            Worker before = user.trader().worker();
            ObjectNode next = ecs.definition(GOLD).deepCopy();
            ecs.register(next.put("family", GOLD));
            String newest = ecs.definitionArn(GOLD);
            assertThat(ecs.task(before.taskId()).taskDefinitionArn()).isNotEqualTo(newest);

            assertThat(stack.berth("upgrade", "--plan"))
                    .containsPattern(user.user() + " from \\S+/" + GOLD + ":\\d+ to " + newest);
            stack.berth("upgrade", "--user", user.user(), "--reason", "a test");
            Worker successor = user.successor(before, HAND_OVER);
            assertThat(successor.origin()).isEqualTo("CLAIM");
            requireGold(successor.taskId(), newest);

            // Beside the pool, workers of earlier tests' users, which need not change.
            stack.berth("upgrade", "--rate", "60", "--reason", "a test");
            await().atMost(HAND_OVER).untilAsserted(() -> {
                requireGold(idleGold(), newest);
                assertThat(usualPool).doesNotContain(idleGold());
            });
            stack.berth("upgrade", "--stop");
            assertThat(usualPool).doesNotContain(successor.taskId());
            requireUnharmed(user);
        }
    }

    @Test
    @Tag("D5")
    @Tag("X22")
    @DisplayName("A host that drains hands a group's user over to a worker of the group on another host, and its pool"
            + " moves, too")
    void drainingHostStaysInGroup() throws Exception {
        List<String> usualPool = Eventually.fullPool(redis);
        String revision = ecs.definitionArn(GOLD);
        String host = "";
        try (SteadyTrader user = steadyMember("group-drained")) {
            Worker before = user.trader().worker();
            host = ecs.hostOf(before.taskId());
            ecs.setDraining(host, true);
            Worker successor = user.successor(before, HAND_OVER);
            requireGold(successor.taskId(), revision);
            assertThat(ecs.hostOf(successor.taskId())).isNotEqualTo(host);
            Eventually.ended(before.pid(), HAND_OVER);

            String drained = host;
            await().atMost(HAND_OVER).untilAsserted(() -> {
                requireGold(idleGold(), revision);
                assertThat(ecs.hostOf(idleGold())).isNotEqualTo(drained);
                assertThat(usualPool).doesNotContain(idleGold());
            });
            assertThat(usualPool).doesNotContain(successor.taskId());
            requireUnharmed(user);
        } finally {
            if (!host.isEmpty()) {
                ecs.setDraining(host, false);
            }
        }
    }

    private SteadyTrader steadyMember(String name) throws Exception {
        member("gold", name);
        awaitIdleGold();
        SteadyTrader user = SteadyTrader.of(stack, name);
        requireGold(user.trader().worker().taskId(), ecs.definitionArn(GOLD));
        awaitIdleGold();
        return user;
    }

    /** The one idle worker of the group's pool. */
    private String idleGold() throws IOException {
        List<String> idle = redis.sorted("pool:idle:gold");
        assertThat(idle).hasSize(1);
        return idle.getFirst();
    }

    private void awaitIdleGold() {
        await().atMost(Eventually.POOL_FILLS).untilAsserted(this::idleGold);
    }

    private static boolean isOfGold(EcsTask task) {
        return task.variable("BERTH_GROUP").equals("gold");
    }

    private void requireGold(String task, String revision) throws Exception {
        EcsTask described = ecs.task(task);
        assertThat(described.taskDefinitionArn()).isEqualTo(revision);
        assertThat(isOfGold(described)).as("%s", described).isTrue();
        assertThat(described.capacityProviderName()).isEqualTo("gold-hosts");
    }

    /** Ends the trading, the membership and the worker. */
    private void requireUnharmed(SteadyTrader user) throws Exception {
        LOG.warn("{}: the slowest order took {} ms", user.user(), user.longest().toMillis());
        assertThat(user.trader().worker().deaths()).isZero();
        user.requireNothingLostOrDoubled(stack);
        assertThat(new BerthCommand(grouped).done("group gold remove " + user.user()))
                .contains("no longer");
        operator.tell("/workers/" + user.user() + ":stop", "its test is over");
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
        for (Trader trader : bulk) {
            await().atMost(TIMEOUT).until(() -> trader.worker().state(), WAITING::contains);
        }
    }

    /** Fills an order and returns the id of the worker's task. */
    private String worker(Trader trader, String origin, String family) throws Exception {
        Eventually.filled(trader, "o-" + trader.worker().epoch());
        Worker worker = trader.worker();
        assertThat(worker.origin()).as("%s", worker).isEqualTo(origin);
        String task = worker.taskId();
        assertThat(ecs.task(task).taskDefinitionArn()).contains("/" + family + ":");
        return task;
    }
}
