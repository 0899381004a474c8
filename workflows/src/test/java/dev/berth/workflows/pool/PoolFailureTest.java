package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failed starts. */
class PoolFailureTest {
    private final PoolFixture fixture = new PoolFixture();
    private final FakePoolTasks tasks = fixture.tasks;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("A3")
    @DisplayName("A stopped idle worker is replaced at once, before its heartbeat expires")
    void replacesStoppedIdleWorker() {
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(2);
        fixture.server.skip(Duration.ofSeconds(70));
        pool.taskStopped(FakePoolTasks.arn(1), "OutOfMemoryError", false);
        fixture.awaitLaunches(3);
        assertThat(tasks.idle).containsExactly(FakePoolTasks.arn(2), FakePoolTasks.arn(3));
    }

    @Test
    @Tag("X8")
    @DisplayName("A resize ends the backoff")
    void resizeEndsBackoff() {
        tasks.healthy = false;
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        pool.taskStopped(FakePoolTasks.arn(1), "exit 1", false);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(1);
        pool.resize(new PoolSize(0, 1, PoolFixture.LIFETIME));
        fixture.awaitLaunches(2);
    }

    @Test
    @Tag("X8")
    @DisplayName("After failed starts the launches back off: 10 s, 20 s, 40 s, up to 5 min")
    void backsOffAfterFailedStarts() {
        tasks.healthy = false;
        PoolWorkflow pool = fixture.begin(1);
        int backoffSeconds = 10;
        for (int launch = 1; launch <= 4; launch++) {
            fixture.awaitLaunches(launch);
            fixture.awaitNextCheck(pool);
            pool.taskStopped(FakePoolTasks.arn(launch), "Essential container in task exited", false);
            fixture.server.skip(Duration.ofSeconds(backoffSeconds - 5));
            fixture.awaitNextCheck(pool);
            assertThat(tasks.launches).hasSize(launch);
            fixture.server.skip(Duration.ofSeconds(6));
            backoffSeconds *= 2;
        }
        fixture.awaitLaunches(5);
    }

    @Test
    @Tag("X8")
    @DisplayName("A worker that stops shortly after it became idle counts as a failed start")
    void earlyStopIsFailedStart() {
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        tasks.idle.clear();
        pool.taskStopped(FakePoolTasks.arn(1), "exit 1", false);
        fixture.server.skip(Duration.ofSeconds(5));
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(1);
        fixture.server.skip(Duration.ofSeconds(6));
        fixture.awaitLaunches(2);
    }

    @Test
    @Tag("A3")
    @DisplayName("A requested stop of a starting worker is no failed start")
    void requestedStopIsNoFailedStart() {
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        tasks.idle.clear();
        pool.taskStopped(FakePoolTasks.arn(1), "maintenance", true);
        fixture.awaitLaunches(2);
    }

    @Test
    @Tag("X5")
    @DisplayName("A failed start is found without its event, and a repeated event counts once")
    void findsFailedStartWithoutEvent() {
        tasks.healthy = false;
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        tasks.stopped.add(FakePoolTasks.arn(1));
        fixture.server.skip(Duration.ofSeconds(6));
        pool.taskStopped(FakePoolTasks.arn(1), "late", false);
        pool.taskStopped(FakePoolTasks.arn(1), "late, twice", false);
        tasks.healthy = true;
        fixture.server.skip(Duration.ofSeconds(11));
        fixture.awaitLaunches(2);
    }

    @Test
    @Tag("A3")
    @DisplayName("A worker that hangs at its start is retired after 90 s")
    void retiresHangingStart() {
        tasks.healthy = false;
        fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.server.skip(Duration.ofSeconds(85));
        assertThat(tasks.retired).isEmpty();
        fixture.server.skip(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(tasks.retired).containsExactly(FakePoolTasks.arn(1)));
        assertThat(tasks.launches).hasSize(1);
        fixture.server.skip(Duration.ofSeconds(10));
        fixture.awaitLaunches(2);
    }

    @Test
    @Tag("X8")
    @DisplayName("An open launch circuit delays the launch, and the pool keeps checking")
    void openLaunchCircuitDelaysLaunch() {
        tasks.launchable.nextFailure(FailureType.LAUNCH_CIRCUIT_OPEN.failure("the launch circuit of worker:3 is open"));
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(1);
        fixture.server.skip(Duration.ofSeconds(11));
        fixture.awaitLaunches(2);
        assertThat(tasks.idle).hasSize(1);
    }

    @Test
    @Tag("X8")
    @DisplayName("A half-open launch circuit starts one worker, and the pool backs off before the others")
    void halfOpenCircuitStartsOne() {
        tasks.launchable.nextFailure(FailureType.LAUNCH_CIRCUIT_OPEN.failure("the launch circuit of worker:3 is open"));
        tasks.launchable.nextFailure(FailureType.LAUNCH_CIRCUIT_OPEN.failure("the launch circuit of worker:3 is open"));
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.idle).hasSize(1);
        assertThat(pool.state().backoff()).isNotNull();
        fixture.server.skip(Duration.ofSeconds(11));
        fixture.awaitLaunches(5);
        assertThat(tasks.idle).hasSize(3);
    }

    @Test
    @Tag("A3")
    @DisplayName("The pool needs attention after a minute below its minimum, until the shortage ends")
    void shortageNeedsAttention() {
        tasks.room.set(0);
        PoolWorkflow pool = fixture.begin(new PoolSize(1, 2, PoolFixture.LIFETIME));
        fixture.awaitLaunches(2);
        assertThat(fixture.needsAttention()).isFalse();
        fixture.server.skip(Duration.ofSeconds(75));
        await().until(fixture::needsAttention);
        tasks.room.set(100);
        fixture.server.skip(Duration.ofSeconds(61));
        fixture.awaitNextCheck(pool);
        await().until(() -> !fixture.needsAttention());
    }
}
