package dev.berth.activities.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolPlanner;
import dev.berth.workflows.pool.PoolTasks;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("D5")
class GroupPoolsTest {
    private static final UserGroup GOLD = new UserGroup("gold");
    private static final String QUEUE = "group-pools";

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs(2);

    private GroupPools pools;

    /** Launches one worker of the pool that its id leads to. */
    @WorkflowInterface
    public interface Launching {
        @WorkflowMethod
        String launch();
    }

    /** As a pool, or a hand-over, does. */
    public static final class LaunchingImpl implements Launching {
        @Override
        public String launch() {
            ActivityOptions options = ActivityOptions.newBuilder()
                    .setStartToCloseTimeout(Duration.ofSeconds(20))
                    .build();
            return Objects.requireNonNull(Workflow.newActivityStub(PoolTasks.class, options)
                    .run(Workflow.randomUUID().toString()));
        }
    }

    @BeforeEach
    void start() {
        LaunchTarget usual = ecs.workersRunning(TestEcs.OBEDIENT);
        LaunchTarget gold = new LaunchTarget(usual.cluster(), usual.taskDefinition(), "", GOLD);
        pools = new GroupPools(Map.of(UserGroup.DEFAULT, pool(usual), GOLD, pool(gold)), _ -> GOLD);
    }

    private LauncherPoolTasks pool(LaunchTarget requests) {
        InstantSource clock = InstantSource.system();
        LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), clock);
        return new LauncherPoolTasks(
                ecs.launcher(),
                ecs.hosts(),
                redis.commands(),
                new RedisOutages(),
                requests,
                new TaskLaunch(ecs.launcher(), circuit),
                PoolPlanner.fixed(),
                clock);
    }

    @Test
    @DisplayName("A pool's workflow, and the hand-over of a user, launch workers of the group")
    void callerTellsGroup() {
        try (TestWorkflowEnvironment temporal = OrderSamples.temporal(true)) {
            var worker = temporal.newWorker(QUEUE);
            worker.registerWorkflowImplementationTypes(LaunchingImpl.class);
            worker.registerActivitiesImplementations(pools);
            temporal.start();
            assertThat(groupLaunchedBy(temporal, PoolNames.workflowId(GOLD))).isEqualTo(GOLD);
            assertThat(groupLaunchedBy(temporal, WorkflowIds.worker(ALICE))).isEqualTo(GOLD);
            assertThat(groupLaunchedBy(temporal, WorkflowIds.POOL)).isEqualTo(UserGroup.DEFAULT);
        }
    }

    private UserGroup groupLaunchedBy(TestWorkflowEnvironment temporal, String workflowId) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setTaskQueue(QUEUE)
                .build();
        String task = temporal.getWorkflowClient()
                .newWorkflowStub(Launching.class, options)
                .launch();
        return ecs.launcher().find(task).orElseThrow().group();
    }

    @Test
    @DisplayName("A worker of any group is retired from the list of its own pool")
    void retiresFromItsOwnList() {
        String idle = PoolNames.idle(GOLD);
        redis.commands().zadd(idle, 1, "t1");
        redis.commands().zadd(RedisKeys.POOL_IDLE, 1, "t2");
        redis.commands().set(RedisKeys.poolHeartbeat("t1"), "t1");
        redis.commands().set(RedisKeys.poolHeartbeat("t2"), "t2");
        assertThat(pools.retire("arn:aws:ecs:us-east-1:0:task/berth/t1", "a test"))
                .isTrue();
        assertThat(redis.commands().zcard(idle)).isZero();
        assertThat(redis.commands().get(RedisKeys.reserved("t1"))).isEqualTo(RedisKeys.RETIRED);
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isOne();
    }
}
