package dev.berth.activities.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ExchangeCalendar;
import dev.berth.workflows.pool.PoolPlanner;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolStep;
import dev.berth.workflows.pool.PoolView;
import dev.berth.workflows.worker.TaskArns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LauncherPoolTasksTest {
    private static final Duration HALF_A_DAY = Duration.ofHours(12);
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs(2);

    private final RedisOutages outages = new RedisOutages();
    private LauncherPoolTasks pool;

    @BeforeEach
    void start() {
        pool = pool(PoolPlanner.fixed());
    }

    private LauncherPoolTasks pool(PoolPlanner planner) {
        LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
        InstantSource clock = InstantSource.fixed(NOW);
        LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), clock);
        TaskLaunch launch = new TaskLaunch(ecs.launcher(), circuit);
        return new LauncherPoolTasks(
                ecs.launcher(), ecs.hosts(), redis.commands(), outages, requests, launch, planner, clock);
    }

    @Tag("A3")
    @DisplayName("A worker with a heartbeat and a place on the list is idle; a claimed or dead worker is not")
    @Test
    void countsClaimableWorkers() {
        assertThat(check(2, List.of()).idle()).isZero();
        String starting = start("token-1");
        assertThat(check(2, List.of(starting)))
                .isEqualTo(new PoolView(0, List.of(), List.of(), List.of(), false, List.of(), null));

        idle(starting, Duration.ofSeconds(1));
        assertThat(check(2, List.of(starting)))
                .isEqualTo(new PoolView(1, List.of(starting), List.of(), List.of(), false, List.of(), null));

        redis.commands().del(RedisKeys.poolHeartbeat(TaskArns.id(starting)));
        assertThat(check(2, List.of()).idle()).isZero();
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE))
                .as("off the list")
                .isZero();
    }

    @Tag("X6")
    @DisplayName("A check soon after an outage of Redis fails, until live workers have listed themselves again")
    @Test
    void checkFailsAfterOutage() {
        idle(start("token-1"), Duration.ofSeconds(1));
        outages.record();
        assertThatThrownBy(() -> check(2, List.of()))
                .hasMessageContaining("Redis was not reachable within the last 15 s");
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isOne();
    }

    @Tag("A3")
    @DisplayName("A starting worker that was claimed at once is reported as idle, a stopped one as stopped")
    @Test
    void reportsStartingWorkers() {
        String claimed = start("token-1");
        String dead = start("token-2");
        redis.commands().set(RedisKeys.task(TaskArns.id(claimed)), ALICE.value());
        ecs.awaitRunning(dead);
        ecs.client().stopTask(stop -> stop.cluster("berth").task(dead));
        await().until(() -> ecs.task(dead).lastStatus().equals("STOPPED"));
        PoolView view = check(2, List.of(claimed, dead));
        assertThat(view.idleNow()).containsExactly(claimed);
        assertThat(view.stopped()).containsExactly(dead);
    }

    @Tag("A3")
    @DisplayName("A pool worker has user id -1 and no epoch")
    @Test
    void poolWorkerHasNoUser() {
        var environment = ecs.task(start("token-1"))
                .overrides()
                .containerOverrides()
                .getFirst()
                .environment();
        assertThat(environment).singleElement().satisfies(variable -> {
            assertThat(variable.name()).isEqualTo("BERTH_USER_ID");
            assertThat(variable.value()).isEqualTo("-1");
        });
    }

    @Tag("A4")
    @DisplayName("A launch without room starts no worker, and is no error; a repeated one is the same worker")
    @Test
    void startsNoneWhenThereIsNoRoom() throws Exception {
        for (int i = 1; i <= 4; i++) {
            String task = pool.run("token-" + i);
            assertThat(task).isNotNull().isEqualTo(pool.run("token-" + i));
        }
        assertThat(pool.run("token-5")).isNull();
        ecs.removeHosts();
        assertThat(pool.run("token-6")).isNull();
    }

    @Tag("E2")
    @DisplayName("The youngest worker on the emptiest host is retired first, to free hosts")
    @Test
    void shrinksTheEmptiestHostFirst() {
        String older = idle(start("token-1"), Duration.ofMinutes(3));
        String younger = idle(start("token-2"), Duration.ofMinutes(2));
        String alone = idle(start("token-3"), Duration.ofMinutes(9));
        assertThat(ecs.task(alone).containerInstanceArn())
                .isNotEqualTo(ecs.task(older).containerInstanceArn());
        assertThat(check(3, List.of()).surplus()).isEmpty();
        assertThat(check(2, List.of()).surplus()).containsExactly(alone);
        assertThat(check(0, List.of()).surplus()).containsExactly(alone, younger, older);
    }

    @Tag("X14")
    @DisplayName("Ahead of the open the surplus is above the session's target")
    @Test
    void sessionSizesPool() {
        pool = pool(new PoolPlanner(
                List.of(CalendarFiles.read("XNYS", null)),
                new PoolPlanner.Rules(Duration.ofHours(3), 0, 10, 1),
                (_, _) -> OptionalInt.of(2)));
        idle(start("token-1"), Duration.ofMinutes(3));
        idle(start("token-2"), Duration.ofMinutes(2));
        String youngest = idle(start("token-3"), Duration.ofMinutes(1));
        PoolView view = check(1, List.of());
        assertThat(view.surplus()).containsExactly(youngest);
        assertThat(view.step())
                .extracting(PoolStep::target, PoolStep::until)
                .containsExactly(2, Instant.parse("2026-03-02T21:00:00Z"));
    }

    @Tag("X14")
    @DisplayName("After the end of a calendar the pool has its fixed target, and one warning names the exchange")
    @Test
    void fixedTargetAppliesAfterCalendarEnd() {
        pool = pool(new PoolPlanner(
                List.of(ExchangeCalendar.parse(List.of(
                        "exchange XOLD",
                        "zone UTC",
                        "days MONDAY FRIDAY",
                        "session 09:00 17:00",
                        "first 2026-01-01",
                        "last 2026-03-01"))),
                new PoolPlanner.Rules(Duration.ZERO, 5, 10, 1),
                (_, _) -> OptionalInt.of(5)));
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(LauncherPoolTasks.class.getName());
        log.setFilter(line -> logged.add(line.getMessage()));
        assertThat(check(1, List.of()).step()).isNotNull().returns(1, PoolStep::target);
        check(1, List.of());
        log.setFilter(null);
        assertThat(logged)
                .containsExactly("the calendars of [XOLD] have ended: for them the pool keeps its fixed target");
    }

    @Tag("E2")
    @DisplayName("An expired worker is retired first")
    @Test
    void expiredWorkerGoesFirst() {
        String old = idle(start("token-1"), HALF_A_DAY.plusSeconds(1));
        idle(start("token-2"), Duration.ofMinutes(2));
        idle(start("token-3"), HALF_A_DAY.minusSeconds(1));
        PoolView view = check(2, List.of());
        assertThat(view.hasExpired()).isTrue();
        assertThat(view.surplus()).containsExactly(old);
    }

    @Tag("E2")
    @DisplayName("A retired idle worker leaves the list and is stopped; retirement is repeatable")
    @Test
    void retiredWorkerIsStopped() {
        String task = idle(start("token-1"), Duration.ofMinutes(1));
        assertThat(pool.retire(task, "too many")).isTrue();
        await().until(() -> ecs.task(task).lastStatus().equals("STOPPED"));
        assertThat(ecs.task(task).stoppedReason()).isEqualTo("too many");
        assertThat(check(0, List.of()).idle()).isZero();
        assertThat(redis.commands().get(RedisKeys.reserved(TaskArns.id(task)))).isEqualTo(RedisKeys.RETIRED);
        assertThat(redis.commands().ttl(RedisKeys.stoppedTask(TaskArns.id(task))))
                .as("the gateways hear of it")
                .isPositive();
        assertThat(pool.retire(task, "too many")).isTrue();
    }

    @Tag("E2")
    @DisplayName("A worker that is reserved or serves a user is never retired")
    @Test
    void keepsWorkersInUse() {
        String reserved = idle(start("token-1"), Duration.ofMinutes(1));
        String serving = start("token-2");
        redis.commands().set(RedisKeys.reserved(TaskArns.id(reserved)), "1");
        redis.commands().set(RedisKeys.task(TaskArns.id(serving)), ALICE.value());
        assertThat(pool.retire(reserved, "too many")).isFalse();
        assertThat(pool.retire(serving, "too many")).isFalse();
        assertThat(ecs.task(reserved).desiredStatus()).isEqualTo("RUNNING");
        assertThat(ecs.task(serving).desiredStatus()).isEqualTo("RUNNING");
        assertThat(check(1, List.of()).idle()).isEqualTo(1);
    }

    @Tag("A3")
    @DisplayName("A stopped worker is not idle, although its heartbeat has not expired")
    @Test
    void forgetsStoppedWorkers() {
        String dead = idle(start("token-1"), Duration.ofMinutes(1));
        idle(start("token-2"), Duration.ofMinutes(1));
        pool.forget(List.of(dead, "arn:aws:ecs:us-east-1:1:task/berth/never-was"));
        assertThat(check(2, List.of()).idle()).isEqualTo(1);
        assertThat(redis.commands().exists(RedisKeys.poolHeartbeat(TaskArns.id(dead))))
                .isZero();
        pool.forget(List.of(dead));
        assertThat(check(2, List.of()).idle()).isEqualTo(1);
    }

    private PoolView check(int target, List<String> starting) {
        return pool.check(new PoolSize(0, target, HALF_A_DAY), starting);
    }

    private String start(String clientToken) {
        String task = Objects.requireNonNull(pool.run(clientToken));
        ecs.awaitRunning(task);
        return task;
    }

    /** Does what the process of an idle worker does. */
    private String idle(String taskArn, Duration age) {
        String id = TaskArns.id(taskArn);
        redis.commands().zadd(RedisKeys.POOL_IDLE, (double) NOW.minus(age).toEpochMilli(), id);
        redis.commands().set(RedisKeys.poolHeartbeat(id), id);
        return taskArn;
    }
}
