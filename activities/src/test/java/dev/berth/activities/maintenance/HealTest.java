package dev.berth.activities.maintenance;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.activities.pool.EcsPoolTasks;
import dev.berth.activities.worker.LaunchHealth;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerMarks;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;

class HealTest {
    private static final int BUDGET = 10;

    private TestRedis redis;
    private TestEcs ecs;
    private TestWorkflowEnvironment temporal;
    private WorkerTaskRequests requests;
    private FleetMaintenance maintenance;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder.resolve("ecs"));
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder();
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        temporal = TestWorkflowEnvironment.newInstance(options.build());
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(Lifecycles.Listening.class);
        temporal.start();
        maintenance = maintenance();
    }

    private FleetMaintenance maintenance() {
        InstantSource clock = InstantSource.system();
        LaunchHealth health = new LaunchHealth(redis.commands(), Duration.ofSeconds(30), clock);
        TaskLaunch launch = new TaskLaunch(ecs.client(), health);
        FleetMaintenance.Servers servers = new FleetMaintenance.Servers(
                ecs.client(),
                requests,
                redis.commands(),
                new RedisWorkerMarks(redis.commands(), new RedisOutages()),
                temporal.getWorkflowClient(),
                new TemporalWorkerRequests(temporal.getWorkflowClient(), redis.commands()),
                (_, _) -> Optional.empty(),
                new EcsPoolTasks(ecs.client(), redis.commands(), new RedisOutages(), requests, launch, clock));
        return new FleetMaintenance(servers, Duration.ofSeconds(60), clock, _ -> {});
    }

    @AfterEach
    void close() {
        temporal.close();
        ecs.close();
        redis.close();
    }

    private String run(String user) {
        KeyValuePair variable =
                KeyValuePair.builder().name("BERTH_USER_ID").value(user).build();
        ContainerOverride override = ContainerOverride.builder()
                .name(WorkerTaskRequests.CONTAINER)
                .environment(variable)
                .build();
        String arn = ecs.client()
                .runTask(run -> run.cluster(requests.cluster())
                        .taskDefinition(requests.taskDefinition())
                        .overrides(with -> with.containerOverrides(List.of(override))))
                .tasks()
                .getFirst()
                .taskArn();
        ecs.awaitRunning(arn);
        return arn;
    }

    private void stop(String arn) {
        ecs.client().stopTask(stop -> stop.cluster(requests.cluster()).task(arn));
        await().until(() -> ecs.task(arn).lastStatus().equals("STOPPED"));
    }

    private void mark(String arn) {
        redis.commands().set(RedisKeys.mark(ALICE), RedisKeys.taskId(arn));
        redis.commands().hset(RedisKeys.metadata(ALICE), Map.of("task_arn", arn, "epoch", "4"));
    }

    private void lifecycle(WorkerStatus status) {
        WorkerState none = WorkerState.none(ALICE);
        WorkerState worker =
                new WorkerState(ALICE, none.desired(), status, 4, 4, List.of(), List.of(), List.of(), 0, null);
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(ALICE))
                .setTaskQueue(TaskQueues.FLEET)
                .build();
        WorkflowClient.start(temporal.getWorkflowClient().newWorkflowStub(Lifecycles.class, options)::run, worker);
    }

    private static WorkerStatus serving(String arn) {
        WorkerProcess process = new WorkerProcess(4, arn, "host-1", 1, "key");
        return new WorkerStatus.Active(NOON, new LiveWorker(process, LiveWorker.Origin.COLD, List.of()));
    }

    private List<String> told() {
        String[] told = temporal.getWorkflowClient()
                .newUntypedWorkflowStub(WorkflowIds.worker(ALICE))
                .query("told", String[].class);
        return Arrays.asList(told);
    }

    private HealOutcome heal(DriftKind kind, String arn) {
        return maintenance.heal(List.of(new Drift(kind, ALICE, RedisKeys.taskId(arn), 4)), BUDGET);
    }

    private static HealOutcome done(DriftKind kind) {
        return new HealOutcome(Map.of(kind, 1), 0, 0, 0, List.of());
    }

    private static final HealOutcome GONE = new HealOutcome(Map.of(), 1, 0, 0, List.of());
    private static final HealOutcome LATER = new HealOutcome(Map.of(), 0, 1, 0, List.of());

    @DisplayName("A9 a mark is deleted and its lifecycle told when ECS says that its task stopped, and not before")
    @Test
    void markWithoutTask() {
        String arn = run("alice");
        mark(arn);
        lifecycle(serving(arn));
        assertThat(heal(DriftKind.MARK_WITHOUT_TASK, arn)).isEqualTo(GONE);
        assertThat(redis.commands().exists(RedisKeys.mark(ALICE))).isEqualTo(1);

        stop(arn);
        assertThat(heal(DriftKind.MARK_WITHOUT_TASK, arn)).isEqualTo(done(DriftKind.MARK_WITHOUT_TASK));
        assertThat(redis.commands().exists(RedisKeys.mark(ALICE), RedisKeys.metadata(ALICE)))
                .isZero();
        assertThat(told()).containsExactly("taskStopped " + arn);
        assertThat(heal(DriftKind.MARK_WITHOUT_TASK, arn)).as("again").isEqualTo(GONE);
    }

    @DisplayName(
            "X6 a mark whose task ECS does not know is deleted, and its lifecycle asks the process: it may well live")
    @Test
    void markOfAnUnknownTask() {
        String unknown = "arn:aws:ecs:us-east-1:1:task/berth/00000000000000000000000000000000";
        mark(unknown);
        lifecycle(serving(unknown));
        assertThat(heal(DriftKind.MARK_WITHOUT_TASK, unknown)).isEqualTo(done(DriftKind.MARK_WITHOUT_TASK));
        assertThat(redis.commands().exists(RedisKeys.mark(ALICE))).isZero();
        assertThat(told()).containsExactly("markExpired");
    }

    @DisplayName("A9 the mark of a successor is not touched")
    @Test
    void aSuccessorsMark() {
        String arn = run("alice");
        stop(arn);
        mark("arn:aws:ecs:us-east-1:1:task/berth/successor");
        assertThat(heal(DriftKind.MARK_WITHOUT_TASK, arn)).isEqualTo(GONE);
        assertThat(redis.commands().get(RedisKeys.mark(ALICE))).isEqualTo("successor");
    }

    @DisplayName("A9 a task without mark is told to its owner, who stops it; without one an owner is started")
    @Test
    void taskWithoutMark() {
        String arn = run("alice");
        assertThat(heal(DriftKind.TASK_WITHOUT_MARK, arn)).isEqualTo(done(DriftKind.TASK_WITHOUT_MARK));
        assertThat(told()).containsExactly("seen 4 " + arn);
        assertThat(ecs.runningTasks()).as("the sweep itself stops nothing").contains(arn);
        mark(arn);
        assertThat(heal(DriftKind.TASK_WITHOUT_MARK, arn))
                .as("marked meanwhile")
                .isEqualTo(GONE);
    }

    @DisplayName("X6 a task that may be the one that its lifecycle is just starting is left alone")
    @Test
    void onItsWay() {
        String arn = run("alice");
        lifecycle(new WorkerStatus.Launching(NOON, NOON.plusSeconds(90), null));
        assertThat(heal(DriftKind.TASK_WITHOUT_MARK, arn)).isEqualTo(LATER);
        assertThat(told()).isEmpty();
    }

    @DisplayName("A9 the lifecycle of a frozen worker is told to look; a mark that is back needs nothing")
    @Test
    void frozenWorker() {
        String arn = run("alice");
        lifecycle(serving(arn));
        assertThat(heal(DriftKind.FROZEN_WORKER, arn)).isEqualTo(done(DriftKind.FROZEN_WORKER));
        assertThat(told()).containsExactly("markExpired");
        mark(arn);
        assertThat(heal(DriftKind.FROZEN_WORKER, arn)).isEqualTo(GONE);
    }

    @DisplayName("A9 of two tasks the one without the mark is told to the owner; the one that keeps it is spared")
    @Test
    void duplicateTask() {
        String serving = run("alice");
        String other = run("alice");
        mark(serving);
        lifecycle(serving(serving));
        assertThat(heal(DriftKind.DUPLICATE_TASK, serving)).isEqualTo(GONE);
        assertThat(heal(DriftKind.DUPLICATE_TASK, other)).isEqualTo(done(DriftKind.DUPLICATE_TASK));
        assertThat(told()).containsExactly("seen 4 " + other);
    }

    @DisplayName("A9 a task of nobody is stopped by the sweep itself; one that is claimed at this moment is spared")
    @Test
    void unownedTask() {
        String claimed = run("-1");
        String unowned = run("-1");
        redis.commands().set(RedisKeys.reserved(RedisKeys.taskId(claimed)), "claim");
        assertThat(heal(DriftKind.UNOWNED_TASK, claimed)).isEqualTo(GONE);
        assertThat(heal(DriftKind.UNOWNED_TASK, unowned)).isEqualTo(done(DriftKind.UNOWNED_TASK));
        await().until(() -> ecs.task(unowned).lastStatus().equals("STOPPED"));
        assertThat(ecs.task(claimed).desiredStatus()).isEqualTo("RUNNING");
    }

    @DisplayName("X6 beyond the kill budget nothing is stopped, and said so; B5 one that fails stops no other")
    @Test
    void budgetAndFailure() {
        String unowned = run("-1");
        Drift drift = new Drift(DriftKind.UNOWNED_TASK, null, RedisKeys.taskId(unowned), 0);
        Drift broken = new Drift(DriftKind.FROZEN_WORKER, null, "", 0);
        assertThat(maintenance.heal(List.of(drift), 0)).isEqualTo(new HealOutcome(Map.of(), 0, 0, 1, List.of()));
        assertThat(ecs.task(unowned).desiredStatus()).isEqualTo("RUNNING");
        HealOutcome outcome = maintenance.heal(List.of(broken, drift), BUDGET);
        assertThat(outcome.healed()).isEqualTo(Map.of(DriftKind.UNOWNED_TASK, 1));
        assertThat(outcome.failures()).hasSize(1);
    }

    @DisplayName(
            "X6 the kill budget is kept for what is stopped: what is gone or waits for its owner costs nothing of it")
    @Test
    void budgetOfWhatStopsNothing() {
        String arn = run("alice");
        lifecycle(new WorkerStatus.Launching(NOON, NOON.plusSeconds(90), null));
        Drift waits = new Drift(DriftKind.TASK_WITHOUT_MARK, ALICE, RedisKeys.taskId(arn), 4);
        Drift gone = new Drift(DriftKind.UNOWNED_TASK, null, "00000000000000000000000000000000", 0);
        Drift unowned = new Drift(DriftKind.UNOWNED_TASK, null, RedisKeys.taskId(run("-1")), 0);
        assertThat(maintenance.heal(List.of(waits, gone, unowned, unowned), 1))
                .isEqualTo(new HealOutcome(Map.of(DriftKind.UNOWNED_TASK, 1), 1, 1, 1, List.of()));
    }

    @DisplayName("X6 while Redis has only just started, a look is refused: what is gone from it proves nothing")
    @Test
    void redisHasJustStarted() {
        assertThatThrownBy(maintenance::findDrift).hasMessageContaining("Redis was away");
    }

    @DisplayName("A10 all marks and all tasks of the workers' family are read, whoever started them")
    @Test
    void everythingIsRead() {
        String users = run("alice");
        String pools = run("-1");
        mark(users);
        redis.commands().set(RedisKeys.poolMark(RedisKeys.taskId(pools)), "1");
        for (int number = 0; number < 2_500; number++) {
            redis.commands().set(RedisKeys.mark(new UserId("u" + number)), "task-" + number);
        }
        Marks.All marks = new Marks(redis.commands()).all();
        assertThat(marks.users()).hasSize(2_501).containsEntry(ALICE, RedisKeys.taskId(users));
        assertThat(marks.pool()).containsExactly(RedisKeys.taskId(pools));
        Tasks tasks = new Tasks(ecs.client(), requests);
        assertThat(tasks.running()).containsExactlyInAnyOrder(RedisKeys.taskId(users), RedisKeys.taskId(pools));
        assertThat(new Tasks(ecs.client(), new WorkerTaskRequests(requests.cluster(), "another:3")).running())
                .isEmpty();
        assertThat(Tasks.running(ecs.task(users), Map.of()).userId()).isEqualTo(ALICE);
        assertThat(Tasks.running(ecs.task(pools), Map.of()).userId()).isNull();
        assertThat(Tasks.running(ecs.task(pools), Map.of(RedisKeys.taskId(pools), ALICE))
                        .userId())
                .isEqualTo(ALICE);
    }
}
