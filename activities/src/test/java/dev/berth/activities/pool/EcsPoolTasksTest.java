package dev.berth.activities.pool;

import static dev.berth.activities.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.activities.worker.LaunchHealth;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EcsPoolTasksTest {
    private static final Duration HALF_A_DAY = Duration.ofHours(12);
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    private TestRedis redis;
    private TestEcs ecs;
    private final RedisOutages outages = new RedisOutages();
    private EcsPoolTasks pool;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder.resolve("ecs"), 2);
        WorkerTaskRequests requests = ecs.workersRunning(TestEcs.OBEDIENT);
        InstantSource clock = InstantSource.fixed(NOW);
        LaunchHealth health = new LaunchHealth(redis.commands(), Duration.ofSeconds(30), clock);
        TaskLaunch launch = new TaskLaunch(ecs.client(), health);
        pool = new EcsPoolTasks(ecs.client(), redis.commands(), outages, requests, launch, clock);
    }

    @AfterEach
    void close() {
        ecs.close();
        redis.close();
    }

    @DisplayName("A3 idle is who keeps its mark and its place on the list; a claimed or a dead worker is none")
    @Test
    void countsThoseThatCouldBeClaimed() {
        assertThat(look(2, List.of()).idle()).isZero();
        String starting = start("token-1");
        assertThat(look(2, List.of(starting))).isEqualTo(new PoolView(0, List.of(), List.of(), List.of(), false));

        idle(starting, Duration.ofSeconds(1));
        assertThat(look(2, List.of(starting)))
                .isEqualTo(new PoolView(1, List.of(starting), List.of(), List.of(), false));

        redis.commands().del(RedisKeys.poolMark(RedisKeys.taskId(starting)));
        assertThat(look(2, List.of()).idle()).isZero();
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE))
                .as("off the list")
                .isZero();
    }

    @DisplayName("X6 soon after Redis was away nobody says how many are idle: live ones list themselves again first")
    @Test
    void afterAnOutage() {
        idle(start("token-1"), Duration.ofSeconds(1));
        outages.happened();
        assertThatThrownBy(() -> look(2, List.of())).hasMessageContaining("Redis was away just now");
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isOne();
    }

    @DisplayName("A3 a starting worker that was claimed at once has arrived; one that stopped is gone")
    @Test
    void tellsWhatBecameOfStartingOnes() {
        String claimed = start("token-1");
        String dead = start("token-2");
        redis.commands().set(RedisKeys.task(RedisKeys.taskId(claimed)), ALICE.value());
        ecs.awaitRunning(dead);
        ecs.client().stopTask(stop -> stop.cluster("berth").task(dead));
        await().until(() -> ecs.task(dead).lastStatus().equals("STOPPED"));
        PoolView view = look(2, List.of(claimed, dead));
        assertThat(view.arrived()).containsExactly(claimed);
        assertThat(view.gone()).containsExactly(dead);
    }

    @DisplayName("A3 a pool worker has user id -1 and no epoch")
    @Test
    void startsWorkersForNobody() {
        var told = ecs.task(start("token-1"))
                .overrides()
                .containerOverrides()
                .getFirst()
                .environment();
        assertThat(told).singleElement().satisfies(variable -> {
            assertThat(variable.name()).isEqualTo("BERTH_USER_ID");
            assertThat(variable.value()).isEqualTo("-1");
        });
    }

    @DisplayName("A4 what finds no room is not started, and is no error")
    @Test
    void startsFewerWhenThereIsNoRoom() throws Exception {
        assertThat(pool.run(5, "token-1")).hasSize(4);
        assertThat(pool.run(3, "token-2")).isEmpty();
        assertThat(pool.run(5, "token-1")).hasSize(4);
        ecs.removeHosts();
        assertThat(pool.run(2, "token-3")).isEmpty();
    }

    @DisplayName("E2 the youngest on the emptiest host goes first, so that hosts drain")
    @Test
    void shrinksTheEmptiestHostFirst() {
        String older = idle(start("token-1"), Duration.ofMinutes(3));
        String younger = idle(start("token-2"), Duration.ofMinutes(2));
        String alone = idle(start("token-3"), Duration.ofMinutes(9));
        assertThat(ecs.task(alone).containerInstanceArn())
                .isNotEqualTo(ecs.task(older).containerInstanceArn());
        assertThat(look(3, List.of()).surplus()).isEmpty();
        assertThat(look(2, List.of()).surplus()).containsExactly(alone);
        assertThat(look(0, List.of()).surplus()).containsExactly(alone, younger, older);
    }

    @DisplayName("E2 of too many the one past its lifetime goes first")
    @Test
    void tooOldGoesFirst() {
        String old = idle(start("token-1"), HALF_A_DAY.plusSeconds(1));
        idle(start("token-2"), Duration.ofMinutes(2));
        idle(start("token-3"), HALF_A_DAY.minusSeconds(1));
        PoolView view = look(2, List.of());
        assertThat(view.hasTooOld()).isTrue();
        assertThat(view.surplus()).containsExactly(old);
    }

    @DisplayName(
            "E2 an idle worker that is retired is off the list and marked as retired, and not stopped: it ends by itself; again"
                    + " is the same")
    @Test
    void retires() {
        String task = idle(start("token-1"), Duration.ofMinutes(1));
        assertThat(pool.retire(task, "too many")).isTrue();
        assertThat(pool.retire(task, "too many")).isTrue();
        assertThat(look(0, List.of()).idle()).isZero();
        assertThat(redis.commands().get(RedisKeys.reserved(RedisKeys.taskId(task))))
                .isEqualTo(RedisKeys.RETIRED);
        assertThat(ecs.task(task).desiredStatus()).isEqualTo("RUNNING");
    }

    @DisplayName(
            "E2 one that is retired and keeps no mark, frozen or not yet idle, is marked as retired, and stopped; again is the"
                    + " same")
    @Test
    void stopsWhatIsNotIdle() {
        String task = idle(start("token-1"), Duration.ofMinutes(1));
        redis.commands().del(RedisKeys.poolMark(RedisKeys.taskId(task)));
        assertThat(pool.retire(task, "not idle in time")).isTrue();
        await().until(() -> ecs.task(task).lastStatus().equals("STOPPED"));
        assertThat(ecs.task(task).stoppedReason()).isEqualTo("not idle in time");
        assertThat(redis.commands().get(RedisKeys.reserved(RedisKeys.taskId(task))))
                .isEqualTo(RedisKeys.RETIRED);
        assertThat(pool.retire(task, "not idle in time")).isTrue();
    }

    @DisplayName("E2 a worker that is reserved or serves a user is never stopped")
    @Test
    void sparesThoseInUse() {
        String reserved = idle(start("token-1"), Duration.ofMinutes(1));
        String serving = start("token-2");
        redis.commands().set(RedisKeys.reserved(RedisKeys.taskId(reserved)), "1");
        redis.commands().set(RedisKeys.task(RedisKeys.taskId(serving)), ALICE.value());
        assertThat(pool.retire(reserved, "too many")).isFalse();
        assertThat(pool.retire(serving, "too many")).isFalse();
        assertThat(ecs.task(reserved).desiredStatus()).isEqualTo("RUNNING");
        assertThat(ecs.task(serving).desiredStatus()).isEqualTo("RUNNING");
        assertThat(look(1, List.of()).idle()).isEqualTo(1);
    }

    @DisplayName("A3 a worker that ECS says is dead is idle no more, though its mark lives on; another stays")
    @Test
    void forgetsTheDead() {
        String dead = idle(start("token-1"), Duration.ofMinutes(1));
        idle(start("token-2"), Duration.ofMinutes(1));
        pool.forget(List.of(dead, "arn:aws:ecs:us-east-1:1:task/berth/never-was"));
        assertThat(look(2, List.of()).idle()).isEqualTo(1);
        assertThat(redis.commands().exists(RedisKeys.poolMark(RedisKeys.taskId(dead))))
                .isZero();
        pool.forget(List.of(dead));
        assertThat(look(2, List.of()).idle()).isEqualTo(1);
    }

    private PoolView look(int target, List<String> starting) {
        return pool.look(new PoolSize(0, target, HALF_A_DAY), starting);
    }

    private String start(String clientToken) {
        String task = pool.run(1, clientToken).getFirst();
        ecs.awaitRunning(task);
        return task;
    }

    /** As its process would do. */
    private String idle(String taskArn, Duration age) {
        String id = RedisKeys.taskId(taskArn);
        redis.commands().zadd(RedisKeys.POOL_IDLE, (double) NOW.minus(age).toEpochMilli(), id);
        redis.commands().set(RedisKeys.poolMark(id), id);
        return taskArn;
    }
}
