package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Surplus and expired workers are retired. */
class PoolShrinkTest {
    private final PoolFixture fixture = new PoolFixture();
    private final FakePoolTasks tasks = fixture.tasks;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("E2")
    @DisplayName("Above a smaller target workers are retired after 30 s, in the order of the check")
    void retiresSurplusInOrder() {
        PoolWorkflow pool = full(4);
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        fixture.awaitNextCheck(pool);
        fixture.server.skip(Duration.ofSeconds(25));
        assertThat(tasks.retired).isEmpty();
        fixture.server.skip(Duration.ofSeconds(10));
        awaitRetired(FakePoolTasks.arn(4), FakePoolTasks.arn(3));
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(4);
    }

    @Test
    @Tag("E2")
    @DisplayName("A worker that returns to the pool for a moment is no surplus")
    void returnedWorkerIsNoSurplus() {
        PoolWorkflow pool = full(2);
        tasks.idle.add("arn:task/back");
        fixture.awaitNextCheck(pool);
        fixture.server.skip(Duration.ofSeconds(20));
        tasks.idle.remove("arn:task/back");
        fixture.awaitNextCheck(pool);
        fixture.server.skip(Duration.ofMinutes(10));
        assertThat(tasks.retired).isEmpty();
    }

    @Test
    @Tag("A3")
    @DisplayName("A worker that is claimed at the moment of its retirement stays")
    void claimedWorkerStays() {
        PoolWorkflow pool = full(3);
        tasks.claimed.add(FakePoolTasks.arn(3));
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        fixture.server.skip(Duration.ofSeconds(40));
        fixture.awaitNextCheck(pool);
        assertThat(tasks.retired).isEmpty();
        assertThat(tasks.idle).hasSize(2);
        assertThat(tasks.launches).hasSize(3);
    }

    @Test
    @Tag("E2")
    @DisplayName("A surplus that cannot be retired waits for the next regular check")
    void unretirableSurplusWaits() {
        PoolWorkflow pool = full(3);
        tasks.unretirable.add(FakePoolTasks.arn(3));
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        fixture.awaitNextCheck(pool);
        fixture.server.skip(Duration.ofMinutes(4));
        await().untilAsserted(() -> assertThat(tasks.retirements).hasValue(1));
        tasks.unretirable.clear();
        fixture.server.skip(Duration.ofMinutes(3));
        awaitRetired(FakePoolTasks.arn(3));
        assertThat(tasks.retirements).hasValue(2);
    }

    @Test
    @Tag("E2")
    @DisplayName("The stop of a worker that was retired while starting is no failed start")
    void retirementIsNoFailedStart() {
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(2);
        pool.resize(new PoolSize(0, 1, PoolFixture.LIFETIME));
        fixture.server.skip(Duration.ofSeconds(40));
        awaitRetired(FakePoolTasks.arn(2));
        pool.taskStopped(FakePoolTasks.arn(2), "the pool has more than its target", false);
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        fixture.awaitLaunches(3);
    }

    @Test
    @Tag("E2")
    @DisplayName("Expired workers are replaced one at a time, each after its replacement is idle")
    void replacesExpiredWorkers() {
        PoolWorkflow pool = full(2);
        tasks.expired.addAll(tasks.idle);
        pool.refill();
        fixture.awaitLaunches(3);
        assertThat(tasks.retired).isEmpty();
        fixture.server.skip(Duration.ofMinutes(3));
        awaitRetired(FakePoolTasks.arn(1), FakePoolTasks.arn(2));
        assertThat(tasks.launches).hasSize(4);
        fixture.server.skip(Duration.ofHours(1));
        assertThat(tasks.launches).hasSize(4);
        assertThat(tasks.idle).containsExactly(FakePoolTasks.arn(3), FakePoolTasks.arn(4));
    }

    @Test
    @Tag("E2")
    @DisplayName("An expired worker stays while no replacement can be started")
    void expiredWorkerStaysWithoutReplacement() {
        PoolWorkflow pool = full(1);
        tasks.room.set(0);
        tasks.expired.addAll(tasks.idle);
        pool.refill();
        fixture.server.skip(Duration.ofMinutes(10));
        assertThat(tasks.retired).isEmpty();
        assertThat(tasks.idle).hasSize(1);
    }

    /** A pool whose workers are all stable. */
    private PoolWorkflow full(int target) {
        PoolWorkflow pool = fixture.begin(target);
        fixture.awaitLaunches(target);
        fixture.server.skip(Duration.ofSeconds(70));
        return pool;
    }

    private void awaitRetired(String... taskArns) {
        await().untilAsserted(() -> assertThat(tasks.retired).containsExactly(taskArns));
    }
}
