package dev.berth.acceptance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import dev.berth.acceptance.stack.UserTasks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task of a worker waits for a host, or starts on a host where no container starts. */
@Tag("long")
@ExtendWith(StackExtension.class)
class LaunchFaultTest {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchFaultTest.class);
    /** Longer than a task with a host may take. */
    private static final Duration SLOW_SCALE_OUT = Duration.ofSeconds(100);

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int HOSTS = 2;

    private final Stack stack;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private boolean isGrowing;

    LaunchFaultTest(Stack stack) {
        this.stack = stack;
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @AfterEach
    void removeFaults() throws Exception {
        ecs.faults("{}");
        // One host a version is drained in ten minutes, and the next test needs it.
        String version = ecs.definitionArn();
        redis.delete("launch:failed-on:" + version, "launch:drained-for:" + version);
        for (String host : ecs.hosts()) {
            redis.delete("launch:drained:" + host);
            ecs.setDraining(host, false);
        }
        if (isGrowing) {
            stack.process("api").kill();
            stack.berth("up");
        }
        Eventually.fullPool(redis);
    }

    @Test
    @Tag("X22")
    @Tag("A4")
    @DisplayName("A task that waits for a host is neither stopped nor run again, and its user's order is filled")
    void orderIsFilledWhenHostComes() throws Exception {
        orderIsFilledAfter(Duration.ofSeconds(15), "waits-for-host");
    }

    @Test
    @Tag("X22")
    @Tag("A4")
    @DisplayName("The same for a host that comes later than a task with a host may take to start")
    void orderIsFilledWhenHostComesLate() throws Exception {
        orderIsFilledAfter(SLOW_SCALE_OUT, "waits-for-late-host");
    }

    /** Local ECS adds no host, but a delayed task is as one that waits: {@code PROVISIONING}. */
    private void orderIsFilledAfter(Duration scaleOut, String user) throws Exception {
        stack.process("api").kill();
        stack.with(Map.of("BERTH_ECS_CAPACITY_PROVIDER", "berth-workers")).berth("up");
        isGrowing = true;
        Eventually.emptyPool(stack);
        ecs.faults("{\"runTaskDelayMillis\":%s}".formatted(scaleOut.toMillis()));
        ecs.hosts(HOSTS);
        Trader trader = stack.trader(user);
        OrderBody order = OrderBody.market("first", "AAPL", "buy", "1").within(scaleOut.plus(TIMEOUT));
        assertThat(trader.submit(order.json()).status()).isEqualTo(202);
        UserTasks tasks = UserTasks.of(stack);
        String task = Eventually.tasks(tasks, trader, 1, TIMEOUT).getFirst();
        assertThat(ecs.task(task).lastStatus()).isEqualTo("PROVISIONING");
        assertThat(ecs.task(task).capacityProviderName()).isEqualTo("berth-workers");
        // Later launches are the pool's.
        ecs.faults("{}");

        PlacedOrder filled = Eventually.order(trader, "first", "FILLED", scaleOut.plus(TIMEOUT));
        Duration took = Duration.between(ecs.task(task).pullStartedAt(), filled.finalAt());
        LOG.warn("after {} without a host: filled {} ms after the host came", scaleOut, took.toMillis());
        assertThat(tasks.running(trader)).containsExactly(task);
        assertThat(trader.worker().epoch()).isEqualTo(1);
        stack.berth("verify", "--user", trader.user());
    }

    @Test
    @Tag("X22")
    @Tag("X8")
    @DisplayName("A host on which no container starts is drained; users on it and new users are served on another")
    void badHostIsReplaced() throws Exception {
        try (SteadyTrader old = SteadyTrader.of(stack, "bad-host-old")) {
            Worker before = old.trader().worker();
            String bad = ecs.hostOf(before.taskId());
            Eventually.fullPool(redis);
            Instant since = Instant.now();
            ecs.faults("{\"badHosts\":[\"%s\"]}".formatted(bad));
            for (String idle : redis.idlePoolWorkers()) {
                ecs.stop(idle);
            }
            Trader trader = stack.trader("bad-host-new");
            trader.submit(OrderBody.market("first", "AAPL", "buy", "1")
                    .within(TIMEOUT)
                    .json());
            await().atMost(TIMEOUT).until(() -> ecs.statusOf(bad).equals("DRAINING"));
            LOG.warn("the bad host is drained after {} ms", sinceMillis(since));
            Eventually.order(trader, "first", "FILLED", TIMEOUT);
            LOG.warn("the order of a new user is filled after {} ms", sinceMillis(since));
            assertThat(ecs.hostOf(trader.worker().taskId())).isNotEqualTo(bad);

            Worker successor = old.successor(before, TIMEOUT);
            assertThat(ecs.hostOf(successor.taskId())).isNotEqualTo(bad);
            LOG.warn(
                    "{}: served elsewhere after {} ms, {} ms without a process; the slowest order took {} ms",
                    old.user(),
                    sinceMillis(since),
                    SteadyTrader.gap(successor).toMillis(),
                    old.longest().toMillis());
            assertThat(old.trader().worker().deaths()).isZero();
            old.requireNothingLostOrDoubled(stack);
            stack.berth("verify", "--user", trader.user());
        }
    }

    @Test
    @Tag("X22")
    @Tag("X8")
    @DisplayName(
            "While no container starts on any host the launch circuit is open, and closes when one launch succeeds")
    void launchesGoOnAfterBadHosts() throws Exception {
        Eventually.emptyPool(stack);
        ecs.hosts(HOSTS);
        ecs.faults("{\"badHosts\":[\"%s\"]}".formatted(String.join("\",\"", ecs.hosts())));
        Trader trader = stack.trader("bad-hosts");
        trader.submit(
                OrderBody.market("first", "AAPL", "buy", "1").within(TIMEOUT).json());
        await().atMost(TIMEOUT).until(() -> !redis.sorted("launch:circuits").isEmpty());
        assertThat(ecs.hosts()).anyMatch(this::isActive);
        ecs.faults("{}");
        Instant good = Instant.now();
        Eventually.order(trader, "first", "FILLED", TIMEOUT);
        LOG.warn("filled {} ms after containers start again", sinceMillis(good));
        await().atMost(TIMEOUT).until(() -> redis.sorted("launch:circuits").isEmpty());
        stack.berth("verify", "--user", trader.user());
    }

    private boolean isActive(String host) {
        try {
            return ecs.statusOf(host).equals("ACTIVE");
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    private static long sinceMillis(Instant since) {
        return Duration.between(since, Instant.now()).toMillis();
    }
}
