package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Starts that come to nothing. */
class PoolFailureTest {
    private final PoolFixture at = new PoolFixture();
    private final FakePoolTasks tasks = at.tasks;

    @AfterEach
    void close() {
        at.close();
    }

    @Test
    @DisplayName("A3 an idle worker that dies is made up for at once, though its mark lives on")
    void anIdleWorkerDies() {
        PoolWorkflow pool = at.begin(2);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofSeconds(70));
        pool.taskStopped(FakePoolTasks.arn(1), "OutOfMemoryError", false);
        at.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(1);
        assertThat(tasks.idle).containsExactly(FakePoolTasks.arn(2), FakePoolTasks.arn(3));
    }

    @Test
    @DisplayName("X8 when the size is told anew, as at a restart, held launches are tried at once")
    void triedAfterARestart() {
        tasks.healthy = false;
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        pool.taskStopped(FakePoolTasks.arn(1), "exit 1", false);
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
        pool.resize(new PoolSize(0, 1, PoolFixture.LIFETIME));
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName("X8 an image that dies at its start is not started again and again: 10 s, 20 s, 40 s, up to 5 min")
    void diesAtItsStart() {
        tasks.healthy = false;
        PoolWorkflow pool = at.begin(1);
        int pause = 10;
        for (int launch = 1; launch <= 4; launch++) {
            at.awaitLaunches(launch);
            at.awaitAnotherLook(pool);
            pool.taskStopped(FakePoolTasks.arn(launch), "Essential container in task exited", false);
            at.server.skip(Duration.ofSeconds(pause - 5));
            at.awaitAnotherLook(pool);
            assertThat(tasks.launches).hasSize(launch);
            at.server.skip(Duration.ofSeconds(6));
            pause *= 2;
        }
        at.awaitLaunches(5);
    }

    @Test
    @DisplayName("X8 a worker that was idle for a moment and then dies counts as one that failed to start")
    void diesYoung() {
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        tasks.idle.clear();
        pool.taskStopped(FakePoolTasks.arn(1), "exit 1", false);
        at.server.skip(Duration.ofSeconds(5));
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
        at.server.skip(Duration.ofSeconds(6));
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName(
            "A3 a young worker that somebody had ECS stop is made up for at once: that says nothing against its start")
    void stoppedYoung() {
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        tasks.idle.clear();
        pool.taskStopped(FakePoolTasks.arn(1), "maintenance", true);
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName("X5 a death at the start is found without its event, and told twice it counts once")
    void theEventIsLost() {
        tasks.healthy = false;
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        tasks.gone.add(FakePoolTasks.arn(1));
        at.server.skip(Duration.ofSeconds(6));
        pool.taskStopped(FakePoolTasks.arn(1), "late", false);
        pool.taskStopped(FakePoolTasks.arn(1), "late, twice", false);
        tasks.healthy = true;
        at.server.skip(Duration.ofSeconds(11));
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName("A3 a worker that hangs at its start is stopped after 90 s")
    void hangsAtItsStart() {
        tasks.healthy = false;
        at.begin(1);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofSeconds(85));
        assertThat(tasks.retired).isEmpty();
        at.server.skip(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(tasks.retired).containsExactly(FakePoolTasks.arn(1)));
        assertThat(tasks.launches).hasSize(1);
        at.server.skip(Duration.ofSeconds(10));
        at.awaitLaunches(2);
    }

    @Test
    @DisplayName("X8 held launches are asked for again later, and the pool goes on looking")
    void held() {
        tasks.launchable.nextFailure(
                ApplicationFailure.newFailure("launches of worker:3 are held", WorkerTasks.LAUNCHES_HELD));
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
        at.server.skip(Duration.ofSeconds(11));
        at.awaitLaunches(2);
        assertThat(tasks.idle).hasSize(1);
    }

    @Test
    @DisplayName("A3 below its minimum for a minute the pool calls for a person, until it is not")
    void attention() {
        tasks.room.set(0);
        PoolWorkflow pool = at.begin(new PoolSize(1, 2, PoolFixture.LIFETIME));
        at.awaitLaunches(1);
        assertThat(at.callsForAttention()).isFalse();
        at.server.skip(Duration.ofSeconds(75));
        await().until(at::callsForAttention);
        tasks.room.set(100);
        at.server.skip(Duration.ofSeconds(61));
        at.awaitAnotherLook(pool);
        await().until(() -> !at.callsForAttention());
    }
}
