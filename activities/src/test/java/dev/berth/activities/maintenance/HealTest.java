package dev.berth.activities.maintenance;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.activities.pool.LauncherPoolTasks;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.client.OrderIndex.RunningOrders;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.pool.PoolPlanner;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

class HealTest {
    private static final int BUDGET = 10;
    /** No test here asks it. */
    private static final JdbcTemplate NO_POSTGRES = new JdbcTemplate();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(true);
    private final LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
    private final FleetMaintenance maintenance = maintenance();

    @BeforeEach
    void start() {
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(LifecycleSamples.Listening.class);
        temporal.start();
    }

    private FleetMaintenance maintenance() {
        InstantSource clock = InstantSource.system();
        LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), clock);
        TaskLaunch launch = new TaskLaunch(ecs.launcher(), circuit);
        FleetMaintenance.Servers servers = new FleetMaintenance.Servers(
                ecs.launcher(),
                redis.commands(),
                new RedisWorkerHeartbeats(redis.commands(), new RedisOutages()),
                temporal.getWorkflowClient(),
                new TemporalWorkerRequests(new LifecycleWorkflowClient(temporal.getWorkflowClient()), redis.commands()),
                new OrderReadModel(NO_POSTGRES),
                new PostgresOrderRecords(NO_POSTGRES, new TransactionTemplate(), redis.commands()),
                new SuspensionSignals(
                        new SuspensionStore(NO_POSTGRES, new TransactionTemplate()),
                        new LifecycleWorkflowClient(temporal.getWorkflowClient())),
                new LauncherPoolTasks(
                        ecs.launcher(),
                        ecs.hosts(),
                        redis.commands(),
                        new RedisOutages(),
                        requests,
                        launch,
                        PoolPlanner.fixed(),
                        clock));
        return new FleetMaintenance(servers, Duration.ofSeconds(60), clock, _ -> {});
    }

    @AfterEach
    void close() {
        temporal.close();
    }

    private void stop(String arn) {
        ecs.client().stopTask(stop -> stop.cluster(requests.cluster()).task(arn));
        await().until(() -> ecs.task(arn).lastStatus().equals("STOPPED"));
    }

    private void heartbeat(String arn) {
        redis.commands().set(RedisKeys.heartbeat(ALICE), TaskArns.id(arn));
        redis.commands().hset(RedisKeys.metadata(ALICE), Map.of("task_arn", arn, "epoch", "4"));
    }

    private void lifecycle(WorkerStatus status) {
        WorkerState worker =
                WorkerState.none(ALICE).withStatus(status).withEpoch(4).withRaised(4);
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(ALICE))
                .setTaskQueue(TaskQueues.FLEET)
                .build();
        WorkflowClient.start(
                temporal.getWorkflowClient().newWorkflowStub(LifecycleSamples.class, options)::run, worker);
    }

    private static WorkerStatus serving(String arn) {
        WorkerProcess process = new WorkerProcess(4, arn, "host-1", 1, "key");
        return new WorkerStatus.Active(NOON, new LiveWorker(process, LiveWorker.Origin.COLD, List.of()));
    }

    private List<String> signals() {
        String[] signals = temporal.getWorkflowClient()
                .newUntypedWorkflowStub(WorkflowIds.worker(ALICE))
                .query("signals", String[].class);
        return Arrays.asList(signals);
    }

    private HealOutcome heal(DriftKind kind, String arn) {
        return maintenance.heal(List.of(new Drift(kind, ALICE, TaskArns.id(arn), 4)), BUDGET);
    }

    private static HealOutcome healed(DriftKind kind) {
        return new HealOutcome(Map.of(kind, 1), 0, 0, 0, List.of());
    }

    private static final HealOutcome RESOLVED = new HealOutcome(Map.of(), 1, 0, 0, List.of());
    private static final HealOutcome IN_PROGRESS = new HealOutcome(Map.of(), 0, 1, 0, List.of());

    @Tag("A9")
    @DisplayName("When ECS reports the stop of a task, its heartbeat is deleted and its lifecycle signalled")
    @Test
    void heartbeatOfStoppedTask() {
        String arn = ecs.run(requests, "alice");
        heartbeat(arn);
        lifecycle(serving(arn));
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, arn)).isEqualTo(RESOLVED);
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isEqualTo(1);

        stop(arn);
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, arn)).isEqualTo(healed(DriftKind.HEARTBEAT_WITHOUT_TASK));
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE), RedisKeys.metadata(ALICE)))
                .isZero();
        assertThat(signals()).containsExactly("taskStopped " + arn);
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, arn)).as("again").isEqualTo(RESOLVED);
    }

    @Tag("X6")
    @DisplayName("The heartbeat of an unknown task is deleted, and the lifecycle asks the process")
    @Test
    void heartbeatOfUnknownTask() {
        String unknown = "arn:aws:ecs:us-east-1:1:task/berth/00000000000000000000000000000000";
        heartbeat(unknown);
        lifecycle(serving(unknown));
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, unknown)).isEqualTo(healed(DriftKind.HEARTBEAT_WITHOUT_TASK));
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isZero();
        assertThat(signals()).containsExactly("heartbeatExpired");
    }

    @Tag("X2")
    @DisplayName("A task that stopped without proof keeps its heartbeat, and its lifecycle is signalled")
    @Test
    void heartbeatOfTaskStoppedWithoutProof() {
        String arn = ecs.run(requests, "alice");
        heartbeat(arn);
        lifecycle(serving(arn));
        ecs.deregisterHostOf(arn);
        FleetReading reading = new FleetReading(
                new HeartbeatKeys(redis.commands()),
                ecs.launcher(),
                new FleetReading.FleetIndex(Map::of, () -> RunningOrders.NONE, List::of, () -> RecordedFleet.NOTHING),
                InstantSource.system());
        assertThat(reading.read().stopped()).isEmpty();
        assertThat(reading.read().unconfirmed()).containsExactly(TaskArns.id(arn));
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, arn)).isEqualTo(healed(DriftKind.HEARTBEAT_WITHOUT_TASK));
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isEqualTo(1);
        assertThat(signals()).containsExactly("taskStopped " + arn);
    }

    @Tag("A9")
    @DisplayName("The heartbeat of the next task stays")
    @Test
    void heartbeatOfNextTaskStays() {
        String arn = ecs.run(requests, "alice");
        stop(arn);
        heartbeat("arn:aws:ecs:us-east-1:1:task/berth/successor");
        assertThat(heal(DriftKind.HEARTBEAT_WITHOUT_TASK, arn)).isEqualTo(RESOLVED);
        assertThat(redis.commands().get(RedisKeys.heartbeat(ALICE))).isEqualTo("successor");
    }

    @Tag("A9")
    @DisplayName("A task without a heartbeat is reported to its lifecycle, which is started if necessary")
    @Test
    void taskWithoutHeartbeat() {
        String arn = ecs.run(requests, "alice");
        assertThat(heal(DriftKind.TASK_WITHOUT_HEARTBEAT, arn)).isEqualTo(healed(DriftKind.TASK_WITHOUT_HEARTBEAT));
        assertThat(signals()).containsExactly("workerFound 4 " + arn);
        assertThat(ecs.runningTasks()).as("the sweep itself stops nothing").contains(arn);
        heartbeat(arn);
        assertThat(heal(DriftKind.TASK_WITHOUT_HEARTBEAT, arn))
                .as("heartbeat since then")
                .isEqualTo(RESOLVED);
    }

    @Tag("X6")
    @DisplayName("A task that the lifecycle may be starting is not reported")
    @Test
    void startingTaskIsNotReported() {
        String arn = ecs.run(requests, "alice");
        lifecycle(new WorkerStatus.Launching(NOON, NOON.plusSeconds(90), null));
        assertThat(heal(DriftKind.TASK_WITHOUT_HEARTBEAT, arn)).isEqualTo(IN_PROGRESS);
        assertThat(signals()).isEmpty();
    }

    @Tag("A9")
    @DisplayName("The lifecycle of a frozen worker is signalled, unless the heartbeat returned")
    @Test
    void lifecycleOfFrozenWorkerIsSignalled() {
        String arn = ecs.run(requests, "alice");
        lifecycle(serving(arn));
        assertThat(heal(DriftKind.FROZEN_WORKER, arn)).isEqualTo(healed(DriftKind.FROZEN_WORKER));
        assertThat(signals()).containsExactly("heartbeatExpired");
        heartbeat(arn);
        assertThat(heal(DriftKind.FROZEN_WORKER, arn)).isEqualTo(RESOLVED);
    }

    @Tag("A9")
    @DisplayName("Of two tasks the one without the heartbeat is reported")
    @Test
    void duplicateTaskIsReported() {
        String serving = ecs.run(requests, "alice");
        String other = ecs.run(requests, "alice");
        heartbeat(serving);
        lifecycle(serving(serving));
        assertThat(heal(DriftKind.DUPLICATE_TASK, serving)).isEqualTo(RESOLVED);
        assertThat(heal(DriftKind.DUPLICATE_TASK, other)).isEqualTo(healed(DriftKind.DUPLICATE_TASK));
        assertThat(signals()).containsExactly("workerFound 4 " + other);
    }

    @Tag("A9")
    @DisplayName("The sweep itself stops a task without an owner, unless the task is claimed meanwhile")
    @Test
    void sweepStopsUnownedTask() {
        String claimed = ecs.run(requests, "-1");
        String unowned = ecs.run(requests, "-1");
        redis.commands().set(RedisKeys.reserved(TaskArns.id(claimed)), "claim");
        assertThat(heal(DriftKind.UNOWNED_TASK, claimed)).isEqualTo(RESOLVED);
        assertThat(heal(DriftKind.UNOWNED_TASK, unowned)).isEqualTo(healed(DriftKind.UNOWNED_TASK));
        await().until(() -> ecs.task(unowned).lastStatus().equals("STOPPED"));
        assertThat(ecs.task(claimed).desiredStatus()).isEqualTo("RUNNING");
    }

    @Tag("X6")
    @Tag("B5")
    @DisplayName("Over the stop budget nothing is stopped, and a failure affects no other drift")
    @Test
    void stopBudgetAndFailure() {
        String unowned = ecs.run(requests, "-1");
        Drift drift = new Drift(DriftKind.UNOWNED_TASK, null, TaskArns.id(unowned), 0);
        Drift broken = new Drift(DriftKind.FROZEN_WORKER, null, "", 0);
        assertThat(maintenance.heal(List.of(drift), 0)).isEqualTo(new HealOutcome(Map.of(), 0, 0, 1, List.of()));
        assertThat(ecs.task(unowned).desiredStatus()).isEqualTo("RUNNING");
        HealOutcome outcome = maintenance.heal(List.of(broken, drift), BUDGET);
        assertThat(outcome.healed()).isEqualTo(Map.of(DriftKind.UNOWNED_TASK, 1));
        assertThat(outcome.failures()).hasSize(1);
    }

    @Tag("X6")
    @DisplayName("Only actual stops use the stop budget")
    @Test
    void onlyStopsUseBudget() {
        String arn = ecs.run(requests, "alice");
        lifecycle(new WorkerStatus.Launching(NOON, NOON.plusSeconds(90), null));
        Drift inProgress = new Drift(DriftKind.TASK_WITHOUT_HEARTBEAT, ALICE, TaskArns.id(arn), 4);
        Drift resolved = new Drift(DriftKind.UNOWNED_TASK, null, "00000000000000000000000000000000", 0);
        Drift unowned = new Drift(DriftKind.UNOWNED_TASK, null, TaskArns.id(ecs.run(requests, "-1")), 0);
        assertThat(maintenance.heal(List.of(inProgress, resolved, unowned, unowned), 1))
                .isEqualTo(new HealOutcome(Map.of(DriftKind.UNOWNED_TASK, 1), 1, 1, 1, List.of()));
    }

    @Tag("X6")
    @DisplayName("A sweep fails soon after a start of Redis")
    @Test
    void sweepFailsSoonAfterRedisStart() throws Exception {
        redis.stop();
        redis.restart();
        assertThatThrownBy(maintenance::findDrift).hasMessageContaining("Redis was down");
    }
}
