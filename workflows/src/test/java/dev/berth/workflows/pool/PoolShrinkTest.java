package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is too much, or too old, is stopped. */
class PoolShrinkTest {
    private final PoolFixture at = new PoolFixture();
    private final FakePoolTasks tasks = at.tasks;

    @AfterEach
    void close() {
        at.close();
    }

    @Test
    @DisplayName("E2 above a smaller target workers are stopped, in the order that the look names, after 30 s")
    void shrinks() {
        PoolWorkflow pool = full(4);
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        at.awaitAnotherLook(pool);
        at.server.skip(Duration.ofSeconds(25));
        assertThat(tasks.retired).isEmpty();
        at.server.skip(Duration.ofSeconds(10));
        awaitRetired(FakePoolTasks.arn(4), FakePoolTasks.arn(3));
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
    }

    @Test
    @DisplayName("E2 a worker that comes back to the pool for a moment is no surplus")
    void aVoidClaimGivesItsWorkerBack() {
        PoolWorkflow pool = full(2);
        tasks.idle.add("arn:task/back");
        at.awaitAnotherLook(pool);
        at.server.skip(Duration.ofSeconds(20));
        tasks.idle.remove("arn:task/back");
        at.awaitAnotherLook(pool);
        at.server.skip(Duration.ofMinutes(10));
        assertThat(tasks.retired).isEmpty();
    }

    @Test
    @DisplayName("A3 a worker that is claimed at the moment of a shrink is spared")
    void aClaimWins() {
        PoolWorkflow pool = full(3);
        tasks.claimed.add(FakePoolTasks.arn(3));
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        at.server.skip(Duration.ofSeconds(40));
        at.awaitAnotherLook(pool);
        assertThat(tasks.retired).isEmpty();
        assertThat(tasks.idle).hasSize(2);
        assertThat(tasks.launches).hasSize(1);
    }

    @Test
    @DisplayName("E2 a surplus that can not be stopped now is looked at again at the next regular look, not at once")
    void allAreSpared() {
        PoolWorkflow pool = full(3);
        tasks.spared.add(FakePoolTasks.arn(3));
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        at.awaitAnotherLook(pool);
        at.server.skip(Duration.ofMinutes(4));
        await().untilAsserted(() -> assertThat(tasks.retirements).hasValue(1));
        tasks.spared.clear();
        at.server.skip(Duration.ofMinutes(3));
        awaitRetired(FakePoolTasks.arn(3));
        assertThat(tasks.retirements).hasValue(2);
    }

    @Test
    @DisplayName("E2 the death of a worker that was retired young is no failed start")
    void retiredYoung() {
        PoolWorkflow pool = at.begin(2);
        at.awaitLaunches(1);
        pool.resize(new PoolSize(0, 1, PoolFixture.LIFETIME));
        at.server.skip(Duration.ofSeconds(40));
        awaitRetired(FakePoolTasks.arn(2));
        pool.taskStopped(FakePoolTasks.arn(2), "the pool has more than its target", false);
        pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName("E2 workers past their lifetime are replaced one at a time, each when another is idle in its place")
    void tooOld() {
        PoolWorkflow pool = full(2);
        tasks.old.addAll(tasks.idle);
        pool.refill();
        at.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(1);
        assertThat(tasks.retired).isEmpty();
        at.server.skip(Duration.ofMinutes(3));
        awaitRetired(FakePoolTasks.arn(1), FakePoolTasks.arn(2));
        assertThat(tasks.launches).hasSize(3);
        at.server.skip(Duration.ofHours(1));
        assertThat(tasks.launches).hasSize(3);
        assertThat(tasks.idle).containsExactly(FakePoolTasks.arn(3), FakePoolTasks.arn(4));
    }

    @Test
    @DisplayName("E2 a worker past its lifetime stays while no replacement can be started")
    void tooOldWithoutRoom() {
        PoolWorkflow pool = full(1);
        tasks.room.set(0);
        tasks.old.addAll(tasks.idle);
        pool.refill();
        at.server.skip(Duration.ofMinutes(10));
        assertThat(tasks.retired).isEmpty();
        assertThat(tasks.idle).hasSize(1);
    }

    /** A pool whose workers have all lived for a while. */
    private PoolWorkflow full(int target) {
        PoolWorkflow pool = at.begin(target);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofSeconds(70));
        return pool;
    }

    private void awaitRetired(String... taskArns) {
        await().untilAsserted(() -> assertThat(tasks.retired).containsExactly(taskArns));
    }
}
