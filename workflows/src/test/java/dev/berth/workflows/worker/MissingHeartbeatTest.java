package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A worker that answers, but has no heartbeat key: Redis lost its data, or the worker does not
 * reach it.
 */
class MissingHeartbeatTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @Tag("X6")
    @DisplayName(
            "A worker without a heartbeat key that answers is kept, and its epoch is put back: one proof is not two")
    void unmarkedButAlive() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.heartbeats.epoch.set(0);
            lifecycle.worker.heartbeatExpired();
            await().until(() -> lifecycle.heartbeats.epoch.get() == 1);
            lifecycle.worker.heartbeatExpired();
            await().until(() -> lifecycle.process.pings.size() == 2);
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            assertThat(lifecycle.tasks.stops).isEmpty();
        }
    }

    @Test
    @Tag("A9")
    @Tag("E10")
    @DisplayName("A worker that answers but has no heartbeat key for 60 s, though Redis is there, is "
            + "replaced when the sweep, which stops only a few at a time, says so again")
    void neverMarksItselfAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.worker.heartbeatExpired();
            await().until(() -> lifecycle.process.pings.size() == 1);
            lifecycle.server.skip(Duration.ofSeconds(50));
            lifecycle.worker.heartbeatExpired();
            lifecycle.server.skip(Duration.ofMinutes(10));
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            lifecycle.worker.heartbeatExpired();
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(lifecycle.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("A worker that heartbeats itself again within 60 s is kept, however often Redis loses its data")
    void marksItselfAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            for (int time = 1; time <= 3; time++) {
                int answered = lifecycle.process.pings.size();
                lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
                lifecycle.worker.heartbeatExpired();
                await().until(() -> lifecycle.process.pings.size() == answered + 1);
                // As a worker says that finds its epoch lost: it reaches Redis.
                lifecycle.worker.workerFound(1, FIRST);
                lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.PRESENT;
                lifecycle.server.skip(Duration.ofSeconds(75));
            }
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            assertThat(lifecycle.tasks.stops).isEmpty();
        }
    }
}
