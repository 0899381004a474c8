package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sweep alone heals: every event that would have told of it is lost. It sweeps every second here, not every 60 s. */
@Order(1)
@ExtendWith(OnTheStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SweepTest {
    private static final Logger LOG = LoggerFactory.getLogger(SweepTest.class);
    /** Redis has to be up for a minute before its marks prove anything. */
    private static final Duration FIRST_SWEEP = Duration.ofSeconds(90);
    /** Two sweeps, and the start of a new worker; sooner than a mark runs out. */
    private static final Duration TWO_SWEEPS = Duration.ofSeconds(25);
    /** The same, and 28 s until the one before surely has no lease. */
    private static final Duration LEASE_OVER = Duration.ofSeconds(60);
    /** Several sweeps, and shorter than the life of a mark. */
    private static final Duration UNSUCCESSFUL = Duration.ofSeconds(6);
    /** A task that is younger than 90 s is no orphan. */
    private static final Duration NO_LONGER_YOUNG = Duration.ofMinutes(2);

    private final Stack stack;
    private final Stack sweeping;
    private final Ecs ecs;
    private final RedisKeyspace redis;
    private final TemporalCli temporal;
    private final LocalProcess api;
    private Trader watched;
    private JsonNode watchedWorker;
    private Instant planted;
    private String second;
    private String nobodys;

    SweepTest(Stack stack) {
        this.stack = stack;
        this.sweeping = stack.with(Map.of("BERTH_SWEEP_EVERY", "PT1S"));
        this.ecs = Ecs.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.temporal = new TemporalCli(stack);
        this.api = stack.process("api");
    }

    /** First of all: they grow old while the first sweep is waited for. */
    @BeforeAll
    void plantBehindTheBack() throws Exception {
        watched = active("sweep-twice");
        watchedWorker = watched.worker();
        planted = Instant.now();
        second = hung(watched.user(), watchedWorker.path("epoch").asLong());
        nobodys = hung("-1", 0);
        sweepOften();
    }

    private void sweepOften() throws Exception {
        api.kill();
        sweeping.berth("up");
        await().atMost(FIRST_SWEEP).until(() -> Metrics.sum(stack.api(), "berth_sweep_last_success_seconds") > 0);
    }

    @AfterEach
    void noFaults() throws Exception {
        ecs.faults("{}");
    }

    @AfterAll
    void asItWas() throws Exception {
        api.kill();
        stack.berth("up");
    }

    @Test
    @DisplayName("A9 X5 a worker killed while task events are lost is replaced by the sweep, before its mark runs out")
    void killedAndNobodyWasTold() throws Exception {
        Trader trader = active("sweep-killed");
        JsonNode before = trader.worker();
        double healed = healed("mark_without_task");
        ecs.faults("{\"dropEvents\":true}");
        Instant since = Instant.now();
        Processes.signal(before.path("pid").asLong(), "KILL");
        await().atMost(TWO_SWEEPS).until(() -> healed("mark_without_task") > healed);
        tell("mark without task: its process killed, the event lost", since);
        Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, TWO_SWEEPS);
        tell("  its user is served again", since);
    }

    @Test
    @DisplayName("X6 a sweep that can read a part alone does nothing; the next one that can read all heals")
    void partOfIt() throws Exception {
        Trader trader = active("sweep-throttled");
        JsonNode before = trader.worker();
        double healed = healed("mark_without_task");
        ecs.faults("{\"dropEvents\":true,\"throttled\":[\"DescribeTasks\"]}");
        Processes.signal(before.path("pid").asLong(), "KILL");
        await().atMost(TWO_SWEEPS)
                .until(() -> Metrics.sum(stack.api(), "berth_sweep_last_success_seconds")
                        < Instant.now().getEpochSecond() - UNSUCCESSFUL.toSeconds());
        assertThat(healed("mark_without_task")).isEqualTo(healed);
        assertThat(trader.worker().path("epoch")).isEqualTo(before.path("epoch"));
        assertThat(redis.get("worker:active:" + trader.user())).isEqualTo(Ecs.idOf(before));
        ecs.faults("{\"dropEvents\":true}");
        await().atMost(TWO_SWEEPS).until(() -> healed("mark_without_task") > healed);
        Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, TWO_SWEEPS);
    }

    @Test
    @DisplayName("A9 a frozen worker whose mark was deleted by hand, so that no expiry tells of it, is replaced")
    void frozenAndUnmarked() throws Exception {
        Trader trader = active("sweep-frozen");
        JsonNode before = trader.worker();
        double healed = healed("frozen_worker");
        Instant since = Instant.now();
        Processes.signal(before.path("pid").asLong(), "STOP");
        redis.delete("worker:active:" + trader.user());
        await().atMost(TWO_SWEEPS).until(() -> healed("frozen_worker") > healed);
        tell("frozen worker: its mark deleted by hand", since);
        Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, TWO_SWEEPS);
        tell("  its user is served again", since);
        assertThat(Processes.lives(before.path("pid").asLong())).isFalse();
    }

    @Test
    @DisplayName("E8 X6 a live worker is kept when its mark is deleted, and adopted when its workflow was terminated")
    void adopted() throws Exception {
        Trader trader = active("sweep-adopted");
        JsonNode before = trader.worker();
        redis.delete("worker:active:" + trader.user());
        await().atMost(TWO_SWEEPS)
                .until(() -> !redis.get("worker:active:" + trader.user()).isEmpty());
        double healed = healed("missing_lifecycle");
        Instant since = Instant.now();
        temporal.workflow("terminate", "--workflow-id", "worker:" + trader.user(), "--reason", "test");
        await().atMost(TWO_SWEEPS).until(() -> healed("missing_lifecycle") > healed);
        tell("worker without lifecycle: its workflow terminated", since);
        JsonNode after = Eventually.activeWorker(trader, before.path("epoch").asLong(), TWO_SWEEPS);
        tell("  it is adopted", since);
        assertThat(after.path("pid")).isEqualTo(before.path("pid"));
    }

    @Test
    @DisplayName("A9 B7 a live worker whose lifecycle is at rest, and knows nothing of it, is stopped")
    void nobodyWantsIt() throws Exception {
        Trader trader = active("sweep-unwanted");
        long epoch = trader.worker().path("epoch").asLong();
        trader.delete("/v1/worker");
        Eventually.worker(trader, "TERMINATED", TWO_SWEEPS);
        double healed = healed("unwanted_worker");
        Instant since = Instant.now();
        // The one that was stopped has had the epoch raised, so that nobody has the next.
        String task = ecs.run(trader.user(), epoch + 1);
        await().atMost(LEASE_OVER).until(() -> healed("unwanted_worker") > healed);
        tell("worker that nobody wants: started by hand", since);
        await().atMost(TWO_SWEEPS).until(() -> ecs.isStopped(task));
        tell("  it is stopped", since);
        assertThat(trader.worker().path("state").asText()).isEqualTo("TERMINATED");
    }

    @Test
    @DisplayName("A9 X5 an order that works at the venue gets a worker again when worker and lifecycle are both gone")
    void orderLeftBehind() throws Exception {
        Trader trader = active("sweep-order");
        JsonNode before = trader.worker();
        trader.submit(NewOrder.limit("rests", "AAPL", "buy", "1", "50"), 20);
        Eventually.order(trader, "rests", "NEW", TWO_SWEEPS);
        // The next of its own checks, which would bring a worker as well, is then 16 s away.
        await().atMost(LEASE_OVER).until(() -> temporal.count("order:" + trader.user() + ":rests", "findOrder") >= 3);
        double healed = healed("order_without_worker");
        ecs.faults("{\"dropEvents\":true}");
        Instant since = Instant.now();
        temporal.workflow("terminate", "--workflow-id", "worker:" + trader.user(), "--reason", "test");
        Processes.signal(before.path("pid").asLong(), "KILL");
        redis.delete("worker:active:" + trader.user());
        await().atMost(TWO_SWEEPS).until(() -> healed("order_without_worker") > healed);
        tell("order without worker: lifecycle terminated, process killed, mark deleted", since);
        Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, TWO_SWEEPS);
        tell("  its user is served again", since);
        trader.delete("/v1/orders/rests");
        Eventually.order(trader, "rests", "CANCELED", TWO_SWEEPS);
    }

    @Test
    @DisplayName("A9 X1 an open order whose workflow was terminated is followed again, and not sent again")
    void orderCutOff() throws Exception {
        Trader trader = active("sweep-cut-off");
        trader.submit(NewOrder.limit("rests", "MSFT", "buy", "1", "50"), 20);
        Eventually.order(trader, "rests", "NEW", TWO_SWEEPS);
        // The venue's answer is told before the workflow has it.
        await().atMost(TWO_SWEEPS)
                .until(() -> trader.get("/v1/orders/rests/events")
                        .body()
                        .findValuesAsText("status")
                        .contains("NEW"));
        double healed = healed("order_without_workflow");
        Instant since = Instant.now();
        temporal.workflow("terminate", "--workflow-id", "order:" + trader.user() + ":rests", "--reason", "test");
        await().atMost(TWO_SWEEPS).until(() -> healed("order_without_workflow") > healed);
        tell("order without workflow: it was terminated", since);
        await().atMost(TWO_SWEEPS)
                .untilAsserted(
                        () -> assertThat(trader.order("rests").path("reason").asText())
                                .startsWith("internal: adopted: "));
        tell("  it is followed again", since);
        trader.delete("/v1/orders/rests");
        Eventually.order(trader, "rests", "CANCELED", TWO_SWEEPS);
        assertThat(Venue.of(stack).arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "rests");
    }

    @Test
    @DisplayName("A9 a second task of a user and a task of nobody, started behind the back and hung, are stopped")
    void behindTheBack() throws Exception {
        assertStopped("duplicate task", second, "another worker serves this user");
        assertStopped("task of nobody", nobodys, "it belongs to nobody");
        assertThat(watched.worker().path("pid")).isEqualTo(watchedWorker.path("pid"));
    }

    @Test
    @DisplayName("A9 X2 a second task of a user that was started behind the back, and is well, gives way by itself")
    void givesWay() throws Exception {
        Trader trader = active("sweep-second");
        JsonNode before = trader.worker();
        Instant since = Instant.now();
        String task = ecs.run(trader.user(), before.path("epoch").asLong());
        await().atMost(LEASE_OVER).until(() -> ecs.isStopped(task));
        tell("duplicate task: started by hand, and well: it ends itself", since);
        assertThat(ecs.task(task).path("stopCode").asText()).isEqualTo("EssentialContainerExited");
        assertThat(trader.submit(NewOrder.market("after", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(trader.worker().path("pid")).isEqualTo(before.path("pid"));
        assertThat(redis.get("worker:active:" + trader.user())).isEqualTo(Ecs.idOf(before));
    }

    @Test
    @DisplayName("A9 X6 a live worker whose task ECS does not know is asked, and kept")
    void forgottenAlive() throws Exception {
        Trader trader = active("sweep-forgotten");
        JsonNode before = trader.worker();
        double healed = healed("mark_without_task");
        Instant since = Instant.now();
        ecs.faults("{\"forgotten\":[\"" + Ecs.idOf(before) + "\"]}");
        await().atMost(TWO_SWEEPS).until(() -> healed("mark_without_task") > healed);
        tell("mark without task: a live worker's task unknown to ECS", since);
        await().atMost(TWO_SWEEPS)
                .until(() -> redis.get("worker:active:" + trader.user()).equals(Ecs.idOf(before)));
        tell("  it marked itself again", since);
        // With a sweep each second its mark would be taken again and again, and after a minute it would be given up.
        ecs.faults("{}");
        assertThat(trader.submit(NewOrder.market("after", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(trader.worker().path("pid")).isEqualTo(before.path("pid"));
        assertThat(trader.worker().path("deaths").asInt()).isZero();
    }

    @Test
    @DisplayName("A9 X2 a worker that died while ECS does not know its task is replaced once its lease is over, and is"
            + " not proven dead until ECS says so")
    void forgottenDead() throws Exception {
        Trader trader = active("sweep-deleted");
        JsonNode before = trader.worker();
        Instant since = Instant.now();
        ecs.faults("{\"dropEvents\":true,\"forgotten\":[\"" + Ecs.idOf(before) + "\"]}");
        Processes.signal(before.path("pid").asLong(), "KILL");
        JsonNode after = Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, LEASE_OVER);
        tell("a dead worker whose task ECS does not know: its user is served again", since);
        assertThat(after.path("unproven")).hasSize(1);
        assertThat(after.path("unproven").path(0).path("taskArn")).isEqualTo(before.path("taskArn"));
        ecs.faults("{}");
        await().atMost(TWO_SWEEPS).until(() -> trader.worker().path("unproven").isEmpty());
        assertThat(trader.worker().path("pid")).isEqualTo(after.path("pid"));
    }

    private void assertStopped(String what, String task, String why) throws Exception {
        await().atMost(NO_LONGER_YOUNG).until(() -> ecs.isStopped(task));
        JsonNode stopped = ecs.task(task);
        assertThat(stopped.path("stoppedReason").asText()).contains(why);
        Duration after = Duration.between(planted, Ecs.stoppedAt(stopped));
        LOG.warn("{}, started by hand, for 90 s too young to judge: {} ms", what, after.toMillis());
        assertThat(after).isGreaterThan(Duration.ofSeconds(89));
    }

    private Trader active(String user) throws Exception {
        Trader trader = stack.trader(user);
        JsonNode order =
                trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 30).body();
        assertThat(order.path("status").asText()).isEqualTo("FILLED");
        Eventually.activeWorker(trader, 1, TWO_SWEEPS);
        return trader;
    }

    /** It does not get as far as its mark. */
    private String hung(String user, long epoch) throws Exception {
        String task = ecs.run(user, epoch);
        await().pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> Processes.signal(Processes.ofTask(task), "STOP"));
        return task;
    }

    private double healed(String kind) throws Exception {
        return Metrics.sum(stack.api(), "berth_sweep_healed_total{kind=\"" + kind + "\"}");
    }

    private static void tell(String what, Instant since) {
        LOG.warn("{}: {} ms", what, Duration.between(since, Instant.now()).toMillis());
    }
}
