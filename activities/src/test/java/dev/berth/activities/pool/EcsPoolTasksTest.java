package dev.berth.activities.pool;

import static dev.berth.activities.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.activities.worker.EcsWorkerTasks;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EcsPoolTasksTest {
    private TestRedis redis;
    private TestEcs ecs;
    private WorkerTaskRequests requests;
    private EcsPoolTasks pool;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder.resolve("ecs"));
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        pool = new EcsPoolTasks(ecs.client(), redis.commands(), requests);
    }

    @AfterEach
    void close() {
        ecs.close();
        redis.close();
    }

    @DisplayName("A3 pool workers are counted; a claimed one, or one that was started for a user, is none")
    @Test
    void countsThoseThatServeNobody() {
        assertThat(pool.count()).isZero();
        assertThat(pool.run(1, "token-1")).isEqualTo(1);
        String claimed = RedisKeys.taskId(ecs.runningTasks().getFirst());
        new EcsWorkerTasks(ecs.client(), requests).run(ALICE, 1, "token-2");
        assertThat(pool.count()).isEqualTo(1);

        redis.commands().set(RedisKeys.task(claimed), ALICE.value());
        assertThat(pool.count()).isZero();
    }

    @DisplayName("A3 a pool worker has user id -1 and no epoch")
    @Test
    void startsWorkersForNobody() {
        pool.run(1, "token-1");
        var told = ecs.task(ecs.runningTasks().getFirst())
                .overrides()
                .containerOverrides()
                .getFirst()
                .environment();
        assertThat(told).singleElement().satisfies(variable -> {
            assertThat(variable.name()).isEqualTo("BERTH_USER_ID");
            assertThat(variable.value()).isEqualTo("-1");
        });
    }

    @Test
    void startsFewerWhenThereIsNoRoom() {
        assertThat(pool.run(3, "token-1")).isEqualTo(2);
        assertThat(pool.run(3, "token-2")).isZero();
        assertThat(pool.count()).isEqualTo(2);
    }

    @Test
    void startsNoneWithoutHosts() throws Exception {
        ecs.removeHosts();
        assertThat(pool.run(2, "token-1")).isZero();
    }
}
