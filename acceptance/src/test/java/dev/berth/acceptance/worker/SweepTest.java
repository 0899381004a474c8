package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.EcsTask;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every event of these drifts is lost, so only the sweep can heal them. It runs every second here.
 */
@Order(1)
@ExtendWith(StackExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SweepTest {
    /** Two sweeps and a worker's start; shorter than the life of a heartbeat key. */
    private static final Duration TWO_SWEEPS = Duration.ofSeconds(25);
    /** The same, and the 28 s until the previous worker has surely no lease. */
    private static final Duration LEASE_OVER = Duration.ofSeconds(60);
    /** Several sweeps; shorter than the life of a heartbeat key. */
    private static final Duration SEVERAL_SWEEPS = Duration.ofSeconds(6);
    /** The sweep does not judge tasks younger than 90 s. */
    private static final Duration OLD_ENOUGH = Duration.ofMinutes(2);

    private final Stack stack;
    private final FrequentSweeps sweeps;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private final TemporalCli temporal;
    private Trader watched;
    private Worker watchedWorker;
    private Instant tasksStartedAt;
    private String duplicate;
    private String unowned;

    SweepTest(Stack stack) {
        this.stack = stack;
        this.sweeps = new FrequentSweeps(stack);
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    /** Starts the unexpected tasks first, since they must be 90 s old. */
    @BeforeAll
    void startUnexpectedTasks() throws Exception {
        watched = activeTrader("sweep-twice");
        watchedWorker = watched.worker();
        tasksStartedAt = Instant.now();
        duplicate = startHungTask(watched.user(), watchedWorker.epoch());
        unowned = startHungTask("-1", 0);
        sweeps.begin();
    }

    @AfterEach
    void removeFaults() throws Exception {
        ecs.faults("{}");
    }

    @AfterAll
    void restoreStack() throws Exception {
        sweeps.end();
    }

    @Test
    @Tag("A9")
    @Tag("X5")
    @DisplayName("A worker killed while task events are lost is replaced by the sweep")
    void silentDeathIsHealed() throws Exception {
        Trader trader = activeTrader("sweep-killed");
        Worker before = trader.worker();
        ExpectedHeal heal = ExpectedHeal.of(stack, "heartbeat_without_task");
        ecs.faults("{\"dropEvents\":true}");
        Processes.signal(before.pid(), "KILL");
        heal.await("heartbeat_without_task: process killed, event lost", TWO_SWEEPS);
        Eventually.successor(trader, before, TWO_SWEEPS);
        heal.log("  user is served again");
    }

    @Test
    @Tag("long")
    @Tag("X6")
    @DisplayName("A sweep with a partial read heals nothing; the next complete read does")
    void partialReadStopsSweep() throws Exception {
        Trader trader = activeTrader("sweep-throttled");
        Worker before = trader.worker();
        ExpectedHeal heal = ExpectedHeal.of(stack, "heartbeat_without_task");
        ecs.faults("{\"dropEvents\":true,\"throttled\":[\"DescribeTasks\"]}");
        Processes.signal(before.pid(), "KILL");
        sweeps.awaitNoSuccess(SEVERAL_SWEEPS, TWO_SWEEPS);
        assertThat(heal.isDone()).isFalse();
        assertThat(trader.worker().epoch()).isEqualTo(before.epoch());
        assertThat(redis.get("worker:active:" + trader.user())).isEqualTo(before.taskId());
        ecs.faults("{\"dropEvents\":true}");
        await().atMost(TWO_SWEEPS).until(heal::isDone);
        Eventually.successor(trader, before, TWO_SWEEPS);
    }

    @Test
    @Tag("A9")
    @DisplayName("A frozen worker without a heartbeat key is replaced")
    void frozenWorkerWithoutHeartbeatKeyIsReplaced() throws Exception {
        Trader trader = activeTrader("sweep-frozen");
        Worker before = trader.worker();
        ExpectedHeal heal = ExpectedHeal.of(stack, "frozen_worker");
        Processes.signal(before.pid(), "STOP");
        redis.delete("worker:active:" + trader.user());
        heal.await("frozen_worker: heartbeat key deleted by hand", TWO_SWEEPS);
        Eventually.successor(trader, before, TWO_SWEEPS);
        heal.log("  user is served again");
        assertThat(Processes.lives(before.pid())).isFalse();
    }

    @Test
    @Tag("E8")
    @Tag("X6")
    @DisplayName("A live worker without a heartbeat key is kept, and without a lifecycle adopted")
    void workerWithoutLifecycleIsAdopted() throws Exception {
        Trader trader = activeTrader("sweep-adopted");
        Worker before = trader.worker();
        redis.delete("worker:active:" + trader.user());
        await().atMost(TWO_SWEEPS)
                .until(() -> !redis.get("worker:active:" + trader.user()).isEmpty());
        ExpectedHeal heal = ExpectedHeal.of(stack, "missing_lifecycle");
        temporal.workflow("terminate", "--workflow-id", "worker:" + trader.user(), "--reason", "test");
        heal.await("missing_lifecycle: workflow terminated", TWO_SWEEPS);
        Worker after = Eventually.activeWorker(trader, before.epoch(), TWO_SWEEPS);
        heal.log("  worker is adopted");
        assertThat(after.pid()).isEqualTo(before.pid());
    }

    @Test
    @Tag("long")
    @Tag("A9")
    @Tag("B7")
    @DisplayName("A live worker of a stopped lifecycle is stopped")
    void unwantedWorkerIsStopped() throws Exception {
        Trader trader = activeTrader("sweep-unwanted");
        long epoch = trader.worker().epoch();
        trader.delete("/v1/worker");
        Eventually.worker(trader, "TERMINATED", TWO_SWEEPS);
        ExpectedHeal heal = ExpectedHeal.of(stack, "unwanted_worker");
        // The stop raised the epoch, so the next epoch has no owner.
        String task = ecs.run(trader.user(), epoch + 1);
        heal.await("unwanted_worker: started by hand", LEASE_OVER);
        await().atMost(TWO_SWEEPS).until(() -> ecs.isStopped(task));
        heal.log("  worker is stopped");
        assertThat(trader.worker().state()).isEqualTo("TERMINATED");
    }

    @Test
    @Tag("long")
    @Tag("A9")
    @Tag("X5")
    @DisplayName("A working order gets a worker again after worker and lifecycle are gone")
    void orderWithoutWorkerGetsWorker() throws Exception {
        Trader trader = activeTrader("sweep-order");
        Worker before = trader.worker();
        trader.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 60);
        Eventually.order(trader, "rests", "NEW", TWO_SWEEPS);
        // The order's next check, which would also start a worker, is then 16 s away.
        await().atMost(LEASE_OVER).until(() -> temporal.count("order:" + trader.user() + ":rests", "checkOrder") >= 3);
        ExpectedHeal heal = ExpectedHeal.of(stack, "order_without_worker");
        ecs.faults("{\"dropEvents\":true}");
        temporal.workflow("terminate", "--workflow-id", "worker:" + trader.user(), "--reason", "test");
        Processes.signal(before.pid(), "KILL");
        redis.delete("worker:active:" + trader.user());
        heal.await("order_without_worker: lifecycle terminated, process killed", TWO_SWEEPS);
        Eventually.successor(trader, before, TWO_SWEEPS);
        heal.log("  user is served again");
        Eventually.canceled(trader, "rests", TWO_SWEEPS);
    }

    @Test
    @Tag("long")
    @Tag("A9")
    @Tag("X1")
    @DisplayName("An open order with a terminated workflow is followed again and not sent again")
    void orderWithoutWorkflowIsAdopted() throws Exception {
        Trader trader = activeTrader("sweep-cut-off");
        trader.submit(OrderBody.limit("rests", "MSFT", "buy", "1", "50"), 60);
        Eventually.order(trader, "rests", "NEW", TWO_SWEEPS);
        // The API answers before the workflow has stored the status.
        await().atMost(TWO_SWEEPS).until(() -> trader.statuses("rests").contains("NEW"));
        ExpectedHeal heal = ExpectedHeal.of(stack, "order_without_workflow");
        temporal.workflow("terminate", "--workflow-id", "order:" + trader.user() + ":rests", "--reason", "test");
        heal.await("order_without_workflow: terminated", TWO_SWEEPS);
        await().atMost(TWO_SWEEPS)
                .untilAsserted(() -> assertThat(trader.order("rests").reason()).startsWith("internal: adopted: "));
        heal.log("  order is followed again");
        Eventually.canceled(trader, "rests", TWO_SWEEPS);
        assertThat(Venue.of(stack).arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "rests");
    }

    @Test
    @Tag("A9")
    @DisplayName("A hung duplicate task of a user and a hung task without a user are stopped")
    void unexpectedTasksAreStopped() throws Exception {
        assertStopped(duplicate, "another worker serves this user");
        assertStopped(unowned, "the task has no owner");
        assertThat(watched.worker().pid()).isEqualTo(watchedWorker.pid());
    }

    @Test
    @Tag("A9")
    @Tag("X2")
    @DisplayName("A healthy duplicate task of a user ends itself")
    void healthyDuplicateEndsItself() throws Exception {
        Trader trader = activeTrader("sweep-second");
        Worker before = trader.worker();
        String task = ecs.run(trader.user(), before.epoch());
        await().atMost(LEASE_OVER).until(() -> ecs.isStopped(task));
        assertThat(ecs.task(task).stopCode()).isEqualTo("EssentialContainerExited");
        Eventually.filled(trader, "after");
        assertThat(trader.worker().pid()).isEqualTo(before.pid());
        assertThat(redis.get("worker:active:" + trader.user())).isEqualTo(before.taskId());
    }

    @Test
    @Tag("A9")
    @Tag("X6")
    @DisplayName("A live worker whose task ECS does not know is asked and kept")
    void liveWorkerUnknownToEcsIsKept() throws Exception {
        Trader trader = activeTrader("sweep-forgotten");
        Worker before = trader.worker();
        ExpectedHeal heal = ExpectedHeal.of(stack, "heartbeat_without_task");
        ecs.faults("{\"forgotten\":[\"" + before.taskId() + "\"]}");
        heal.await("heartbeat_without_task: live worker unknown to ECS", TWO_SWEEPS);
        await().atMost(TWO_SWEEPS)
                .until(() -> redis.get("worker:active:" + trader.user()).equals(before.taskId()));
        heal.log("  heartbeat key is back");
        // Sweeps every second would remove the key repeatedly and give the worker up after a
        // minute.
        ecs.faults("{}");
        Eventually.filled(trader, "after");
        assertThat(trader.worker().pid()).isEqualTo(before.pid());
        assertThat(trader.worker().deaths()).isZero();
    }

    @Test
    @Tag("long")
    @Tag("A9")
    @Tag("X2")
    @DisplayName("A dead worker unknown to ECS is replaced after its lease, and unconfirmed until ECS knows")
    void deadWorkerUnknownToEcsIsUnconfirmed() throws Exception {
        Trader trader = activeTrader("sweep-deleted");
        Worker before = trader.worker();
        ecs.faults("{\"dropEvents\":true,\"forgotten\":[\"" + before.taskId() + "\"]}");
        ExpectedHeal death = ExpectedHeal.of(stack, "heartbeat_without_task");
        Processes.signal(before.pid(), "KILL");
        Worker after = Eventually.successor(trader, before, LEASE_OVER);
        death.log("dead worker unknown to ECS: user is served again");
        assertThat(after.unproven()).hasSize(1);
        assertThat(after.unproven().getFirst().taskArn()).isEqualTo(before.taskArn());
        ecs.faults("{}");
        await().atMost(TWO_SWEEPS).until(() -> trader.worker().unproven().isEmpty());
        assertThat(trader.worker().pid()).isEqualTo(after.pid());
    }

    private void assertStopped(String task, String why) throws Exception {
        await().atMost(OLD_ENOUGH).until(() -> ecs.isStopped(task));
        EcsTask stopped = ecs.task(task);
        assertThat(stopped.stoppedReason()).contains(why);
        Duration after = Duration.between(tasksStartedAt, stopped.stoppedAt());
        assertThat(after).isGreaterThan(Duration.ofSeconds(89));
    }

    private Trader activeTrader(String user) throws Exception {
        Trader trader = stack.trader(user);
        Eventually.filled(trader, "warm");
        Eventually.activeWorker(trader, 1, TWO_SWEEPS);
        return trader;
    }

    /** Starts a task and freezes it before it writes its heartbeat key. */
    private String startHungTask(String user, long epoch) throws Exception {
        String task = ecs.run(user, epoch);
        await().pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> Processes.signal(Processes.ofTask(task), "STOP"));
        return task;
    }
}
