package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Missing workers are started. */
class PoolTest {
    private final PoolFixture fixture = new PoolFixture();
    private final FakePoolTasks tasks = fixture.tasks;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("A3")
    @DisplayName("The pool fills itself to its target at its start, and then starts no more workers")
    void fillsToTarget() {
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(1);
        assertThat(tasks.launches.getFirst().count()).isEqualTo(3);
        fixture.awaitNextCheck(pool);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(1);
        assertThat(tasks.retired).isEmpty();
    }

    @Test
    @Tag("A3")
    @DisplayName("A claimed pool worker is replaced at once")
    void replacesClaimedWorker() {
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        tasks.idle.removeFirst();
        pool.refill();
        fixture.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(1);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::clientToken).doesNotHaveDuplicates();
        assertThat(fixture.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @Tag("X8")
    @DisplayName("A launch for a user has priority over a launch for the pool")
    void launchesForUsersGoFirst() {
        fixture.begin(3);
        fixture.awaitLaunches(1);
        assertThat(fixture.server.priorities(WorkflowIds.POOL, "runPoolTasks")).containsExactly(5);
    }

    @Test
    @Tag("D4")
    @DisplayName("The pool of a group launches by the share of the group")
    void launchesByShareOfGroup() {
        UserGroup gold = new UserGroup("gold");
        fixture.begin(gold, new PoolSize(0, 1, PoolFixture.LIFETIME));
        fixture.awaitLaunches(1);
        assertThat(fixture.server.fairnessKeys(PoolNames.workflowId(gold), "runPoolTasks"))
                .containsExactly("gold");
    }

    @Test
    @Tag("A3")
    @DisplayName("A repeated signal starts no second worker")
    void repeatedSignalStartsOneWorker() {
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        tasks.healthy = false;
        tasks.idle.removeFirst();
        pool.refill();
        pool.refill();
        fixture.awaitLaunches(2);
        fixture.awaitNextCheck(pool);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(2);
    }

    @Test
    @Tag("A3")
    @DisplayName("A check every 5 min finds missing workers without a signal")
    void checksEveryFiveMinutes() {
        fixture.begin(3);
        fixture.awaitLaunches(1);
        fixture.server.skip(Duration.ofSeconds(70));
        tasks.idle.subList(0, 2).clear();
        fixture.server.skip(Duration.ofSeconds(220));
        assertThat(tasks.launches).hasSize(1);
        fixture.server.skip(Duration.ofSeconds(85));
        fixture.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(2);
    }

    @Test
    @Tag("A3")
    @DisplayName("A larger target applies at once")
    void growsAtOnce() {
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        pool.resize(new PoolSize(0, 4, PoolFixture.LIFETIME));
        fixture.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(3);
    }

    @Test
    @Tag("A3")
    @DisplayName("More workers than one call of ECS allows are started at once, ten at a time")
    void launchesTenAtATime() {
        fixture.begin(25);
        fixture.awaitLaunches(3);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::count).containsExactly(10, 10, 5);
        assertThat(fixture.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @Tag("A4")
    @DisplayName("Without room the pool retries after 10 s, 20 s, then less often")
    void backsOffWithoutCapacity() {
        tasks.room.set(0);
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(1);
        fixture.server.skip(Duration.ofSeconds(5));
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(1);
        fixture.server.skip(Duration.ofSeconds(6));
        fixture.awaitLaunches(2);
        fixture.server.skip(Duration.ofSeconds(12));
        assertThat(tasks.launches).hasSize(2);
        tasks.room.set(100);
        fixture.server.skip(Duration.ofSeconds(10));
        fixture.awaitLaunches(3);
        assertThat(tasks.idle).hasSize(2);
    }

    @Test
    @Tag("B5")
    @DisplayName("A failed check is retried")
    void failedCheckIsRetried() {
        tasks.reachable.nextFailures(2, new IllegalStateException("Redis is away"));
        fixture.begin(3);
        fixture.awaitLaunches(1);
        assertThat(tasks.checks).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    @DisplayName("A full pool checks itself every 5 min for a day")
    void checksForADay() {
        fixture.begin(2);
        fixture.awaitLaunches(1);
        fixture.server.skip(Duration.ofDays(1));
        assertThat(tasks.checks.get()).isBetween(280, 310);
        assertThat(tasks.launches).hasSize(1);
    }
}
