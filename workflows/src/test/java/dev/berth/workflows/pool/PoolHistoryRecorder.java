package dev.berth.workflows.pool;

import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.WorkflowIds;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the pool that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class PoolHistoryRecorder {
    @Test
    void record() throws IOException {
        try (PoolFixture at = new PoolFixture()) {
            FakePoolTasks tasks = at.tasks;
            tasks.room.set(0);
            PoolWorkflow pool = at.begin(new PoolSize(1, 2, PoolFixture.LIFETIME));
            at.server.skip(Duration.ofSeconds(75));
            await().until(at::needsAttention);
            tasks.room.set(100);
            at.server.skip(Duration.ofSeconds(61));
            await().until(() -> tasks.idle.size() == 2);

            at.server.skip(Duration.ofSeconds(70));
            pool.taskStopped(FakePoolTasks.arn(1), "OutOfMemoryError", false);
            await().until(() -> tasks.idle.contains(FakePoolTasks.arn(3)));

            tasks.healthy = false;
            pool.resize(new PoolSize(1, 3, PoolFixture.LIFETIME));
            at.server.skip(Duration.ofSeconds(95));
            await().until(() -> tasks.retired.contains(FakePoolTasks.arn(4)));
            tasks.healthy = true;
            tasks.launchable.nextFailure(
                    FailureType.LAUNCH_CIRCUIT_OPEN.failure("the launch circuit of worker:3 is open"));
            at.server.skip(Duration.ofSeconds(40));
            await().until(() -> tasks.idle.size() == 3);

            pool.resize(new PoolSize(1, 1, PoolFixture.LIFETIME));
            at.server.skip(Duration.ofSeconds(40));
            await().until(() -> tasks.idle.size() == 1);
            at.awaitNextCheck(pool);
            at.server.record(WorkflowIds.POOL, "pool");
        }
    }
}
