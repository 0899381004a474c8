package dev.berth.activities.maintenance;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestMoto;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchOutcome;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.activities.worker.LauncherWorkerTasks;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.TaskArns;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FleetReadingTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    private final LaunchCircuitBreaker circuit =
            new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
    private final LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);

    @Tag("A10")
    @DisplayName("All heartbeats and all tasks of the workers' family are read")
    @Test
    void readsAllHeartbeatsAndTasks() {
        String users = ecs.run(requests, "alice");
        String pools = ecs.run(requests, "-1");
        redis.commands().set(RedisKeys.heartbeat(ALICE), TaskArns.id(users));
        redis.commands().set(RedisKeys.poolHeartbeat(TaskArns.id(pools)), "1");
        for (int number = 0; number < 2_500; number++) {
            redis.commands().set(RedisKeys.heartbeat(new UserId("u" + number)), "task-" + number);
        }
        HeartbeatKeys.All keys = new HeartbeatKeys(redis.commands()).all();
        assertThat(keys.users()).hasSize(2_501).containsEntry(ALICE, TaskArns.id(users));
        assertThat(keys.pool()).containsExactly(TaskArns.id(pools));
        WorkerLauncher tasks = ecs.launcher();
        assertThat(tasks.running()).containsExactlyInAnyOrder(TaskArns.id(users), TaskArns.id(pools));
        assertThat(TestEcsConnection.of(ecs.client(), new LaunchTarget(requests.cluster(), "another:3"))
                        .launcher()
                        .running())
                .isEmpty();
        WorkerTask user = tasks.find(users).orElseThrow();
        WorkerTask pool = tasks.find(pools).orElseThrow();
        assertThat(RunningTask.of(user, Map.of()).userId()).isEqualTo(ALICE);
        assertThat(RunningTask.of(pool, Map.of()).userId()).isNull();
        assertThat(RunningTask.of(pool, Map.of(TaskArns.id(pools), ALICE)).userId())
                .isEqualTo(ALICE);
    }

    /** Unlike ECS, moto lists stopped tasks too, in one page, and answers no {@code createdAt}. */
    @Tag("A10")
    @DisplayName("The tasks of an ECS that is not Berth's own are read with users and epochs")
    @Test
    void readsTasksOfMoto() throws Exception {
        try (TestMoto moto = TestMoto.start()) {
            moto.createCluster("berth", 1);
            moto.defineWorker();
            WorkerLauncher tasks = TestEcsConnection.of(moto.ecs(), requests).launcher();
            TaskLaunch launch = new TaskLaunch(tasks, circuit);
            String users = new LauncherWorkerTasks(
                            tasks, requests, launch, new StoppedTasks(redis.commands()), InstantSource.system())
                    .run(ALICE, 7, "token-1");
            LaunchOutcome pool = launch.run(requests.forPool("token-2"), "-1");
            String pools = ((LaunchOutcome.Started) pool).taskArn();
            assertThat(tasks.running()).containsExactlyInAnyOrder(TaskArns.id(users), TaskArns.id(pools));
            assertThat(tasks.find(TaskArns.id(users)))
                    .hasValueSatisfying(task -> assertThat(RunningTask.of(task, Map.of()))
                            .isEqualTo(new RunningTask(TaskArns.id(users), ALICE, 7, null)));
            assertThat(tasks.find("unknown")).isEmpty();
            moto.ecs().stopTask(stop -> stop.cluster("berth").task(pools));
            assertThat(tasks.describe(tasks.running()).stream().filter(WorkerTask::runs))
                    .extracting(WorkerTask::arn)
                    .containsExactly(users);
        }
    }
}
