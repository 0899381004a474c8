package dev.berth.activities.maintenance;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
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

    private final WorkerTaskRequests requests = ecs.workersRunning(TestEcs.OBEDIENT);

    @Tag("A10")
    @DisplayName("All heartbeats and all tasks of the workers' family are read")
    @Test
    void readsAllHeartbeatsAndTasks() {
        String users = ecs.run(requests, "alice");
        String pools = ecs.run(requests, "-1");
        redis.commands().set(RedisKeys.mark(ALICE), RedisKeys.taskId(users));
        redis.commands().set(RedisKeys.poolMark(RedisKeys.taskId(pools)), "1");
        for (int number = 0; number < 2_500; number++) {
            redis.commands().set(RedisKeys.mark(new UserId("u" + number)), "task-" + number);
        }
        HeartbeatKeys.All keys = new HeartbeatKeys(redis.commands()).all();
        assertThat(keys.users()).hasSize(2_501).containsEntry(ALICE, RedisKeys.taskId(users));
        assertThat(keys.pool()).containsExactly(RedisKeys.taskId(pools));
        FleetTasks tasks = new FleetTasks(ecs.client(), FleetTaskRequests.of(requests));
        assertThat(tasks.running()).containsExactlyInAnyOrder(RedisKeys.taskId(users), RedisKeys.taskId(pools));
        assertThat(new FleetTasks(
                                ecs.client(),
                                FleetTaskRequests.of(new WorkerTaskRequests(requests.cluster(), "another:3")))
                        .running())
                .isEmpty();
        assertThat(FleetTasks.running(ecs.task(users), Map.of()).userId()).isEqualTo(ALICE);
        assertThat(FleetTasks.running(ecs.task(pools), Map.of()).userId()).isNull();
        assertThat(FleetTasks.running(ecs.task(pools), Map.of(RedisKeys.taskId(pools), ALICE))
                        .userId())
                .isEqualTo(ALICE);
    }
}
