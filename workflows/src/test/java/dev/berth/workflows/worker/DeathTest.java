package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a worker's death is found, and what follows. */
class DeathTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @Tag("X5")
    @DisplayName("A task-stopped event is proof: the worker is replaced at once")
    void taskStoppedEventProvesDeath() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.stopped(FIRST, "OutOfMemoryError");
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(state.unconfirmedStops()).isEmpty();
            assertThat(lifecycle.happened).containsExactly("run 1", "run 2");
            assertThat(lifecycle.heartbeats.deleted).containsExactly(1L);
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("Once a worker is dead its epoch is void, though its successor waits: a claim that "
            + "it took and did not delete comes again, and no other process may take it")
    void itsClaimIsVoid() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            for (long epoch = 1; epoch <= WorkerPolicies.DEATHS; epoch++) {
                long next = epoch + 1;
                lifecycle.stopped(FakeWorkerTasks.arn(epoch), "killed");
                lifecycle.awaitState(now -> now.epoch() == next && now.phase() == WorkerPhase.ACTIVE);
            }
            lifecycle.stopped(FakeWorkerTasks.arn(WorkerPolicies.DEATHS + 1), "killed");
            WorkerState held = lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.BackingOff);
            assertThat(held.epoch()).isEqualTo(WorkerPolicies.DEATHS + 1);
            assertThat(lifecycle.heartbeats.epoch).hasValue(WorkerPolicies.DEATHS + 2);
        }
    }

    @Test
    @Tag("X5")
    @DisplayName("The stop of another task, or of one that is replaced already, changes nothing")
    void otherTasksAndRepeatedEvents() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            lifecycle.stopped(FIRST, "killed");
            lifecycle.stopped(FIRST, "killed");
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.stopped(FIRST, "killed");
            lifecycle.ensureAndAwaitLook();

            WorkerState state = lifecycle.worker.state();
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(lifecycle.happened).containsExactly("run 1", "run 2");
        }
    }

    @Test
    @Tag("X5")
    @DisplayName("A stopped event that comes before the answer of the launch it belongs to is not lost")
    void stoppedBeforeItsLaunchAnswered() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.tasks.runs.nextFrom(answer);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            await().until(() -> lifecycle.tasks.launches.size() == 1);
            lifecycle.stopped(FIRST, "CannotPullContainerError");
            answer.complete(true);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(lifecycle.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
        }
    }

    @Test
    @Tag("A4")
    @DisplayName("An active worker that heartbeats itself is left alone")
    void markedWorkerIsKept() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(lifecycle.process.pings).isEmpty();
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A9")
    @Tag("X2")
    @DisplayName(
            "A frozen worker, without a heartbeat key and without an answer, is fenced, stopped, proven, and replaced")
    void frozenWorkerIsReplaced() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.tasks.stopped.nextFrom(stopped);
            lifecycle.freeze();
            await().until(() -> lifecycle.tasks.stops.contains(FIRST));
            assertThat(lifecycle.heartbeats.epoch)
                    .as("it cannot renew its heartbeat key from now on")
                    .hasValue(2);
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.RECONNECTING);
            assertThat(lifecycle.tasks.launches).hasSize(1);

            stopped.complete(true);
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(state.unconfirmedStops()).isEmpty();
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @Tag("A9")
    @DisplayName("A worker whose heartbeat key expires while it is being asked is not asked once more")
    void fallsSilentFirst() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.diesWhileAsked();
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.process.pings).containsExactly(1L);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @Tag("X2")
    @Tag("E10")
    @DisplayName("A worker that no process can stop is fenced; its successor starts when its lease is surely over")
    void canNotBeStopped() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState first = lifecycle.active();
            lifecycle.tasks.stopped.nextFailures(1_000, new IllegalStateException("StopTask is not heard"));
            lifecycle.freeze();
            lifecycle.server.skip(WorkerHeartbeats.LEASE_OVER.plusSeconds(2));
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(Duration.between(first.status().since(), state.status().since()))
                    .isGreaterThanOrEqualTo(WorkerHeartbeats.LEASE_OVER);
            assertThat(state.unconfirmedStops()).containsExactly(new WorkerState.UnconfirmedStop(1, FIRST));
            assertThat(WorkerDetails.of(state, "berth", state.status().since())).contains("Not proven dead");

            lifecycle.stopped(FIRST, "it ended itself");
            WorkerState proven =
                    lifecycle.awaitState(now -> now.unconfirmedStops().isEmpty());
            assertThat(proven.epoch()).isEqualTo(2);
            assertThat(proven.phase()).isEqualTo(WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("While Redis was unavailable its heartbeats prove nothing: ECS is asked, and no process is replaced")
    void redisWasUnavailable() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.UNKNOWN;
            lifecycle.worker.heartbeatExpired();
            await().until(() -> lifecycle.heartbeats.reads.get() == 2);
            lifecycle.server.skip(WorkerPolicies.HEARTBEATS_RETURN.plusSeconds(5));
            await().until(() -> lifecycle.heartbeats.reads.get() == 3);
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            assertThat(lifecycle.process.pings).isEmpty();

            lifecycle.tasks.deaths.put(FIRST, TaskDeath.PROVEN);
            lifecycle.worker.heartbeatExpired();
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.tasks.stops).isEmpty();
        }
    }

    @Test
    @Tag("D1")
    @DisplayName("A process that renews its heartbeat key but answers nothing for 180 s is replaced")
    void hungAsAWhole() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.ping.nextFailures(1_000, new IllegalStateException("hangs"));
            lifecycle.server.skip(WorkerPolicies.PING_AGAIN);
            lifecycle.ensure();
            await().until(() -> lifecycle.process.pings.size() == 1);
            lifecycle.server.skip(Duration.ofSeconds(100));
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            lifecycle.server.skip(Duration.ofMinutes(2));
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(lifecycle.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @Tag("X5")
    @DisplayName("A worker that dies while its session is being opened is replaced")
    void diesWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFrom(opening);
            lifecycle.ensure();
            await().until(() -> lifecycle.process.opened.size() == 1);
            lifecycle.stopped(FIRST, "killed");
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(lifecycle.happened).containsExactly("run 1", "run 2");
            opening.complete(true);
        }
    }

    @Test
    @Tag("A13")
    @DisplayName("The event that a planned stop causes is no death")
    void eventOfAPlannedStop() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.tasks.stopped.nextFrom(stopped);
            lifecycle.worker.stop("logged out");
            await().until(() -> lifecycle.tasks.stops.size() == 1);
            lifecycle.stopped(FIRST, "stopped as asked");
            stopped.complete(true);
            lifecycle.await(WorkerPhase.TERMINATED);
            WorkerState state = lifecycle.active();
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.deaths()).isZero();
        }
    }

    @Test
    @Tag("X5")
    @DisplayName("More than five deaths in ten minutes call for a person, with a pause; a user who "
            + "forces a start starts at once")
    void crashLoopNeedsAttention() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState paused = diedTooOften(lifecycle, Duration.ZERO);
            assertThat(paused.isCrashLooping(lifecycle.server.now())).isTrue();
            assertThat(paused.status().reason()).contains("too often").contains("killed");
            lifecycle.ensure();
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(6);

            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            lifecycle.awaitState(now -> now.epoch() == 7 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.stopped(FakeWorkerTasks.arn(7), "killed");
            lifecycle.await(WorkerPhase.RECONNECTING);
            lifecycle.server.skip(WorkerPolicies.FIRST_CRASH_PAUSE.multipliedBy(3));
            lifecycle.awaitState(now -> now.epoch() == 8 && now.phase() == WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("X5")
    @DisplayName(
            "A worker that died too often calls for no attention any more once it rests and enough of its deaths are long ago")
    void calmAtRest() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            Duration sinceFirst = WorkerPolicies.DEATHS_WITHIN.dividedBy(2);
            diedTooOften(lifecycle, sinceFirst);
            lifecycle.worker.suspend("it dies all the time");
            lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(attention(lifecycle)).isTrue();
            lifecycle.server.skip(WorkerPolicies.DEATHS_WITHIN.minus(sinceFirst).plusSeconds(5));
            await().until(() -> !attention(lifecycle));
        }
    }

    private static WorkerState diedTooOften(LifecycleFixture lifecycle, Duration afterFirst) {
        lifecycle.active();
        for (long epoch = 1; epoch <= WorkerPolicies.DEATHS; epoch++) {
            long next = epoch + 1;
            lifecycle.stopped(FakeWorkerTasks.arn(epoch), "killed");
            lifecycle.awaitState(now -> now.epoch() == next && now.phase() == WorkerPhase.ACTIVE);
            if (epoch == 1) {
                lifecycle.server.skip(afterFirst);
            }
        }
        lifecycle.stopped(FakeWorkerTasks.arn(6), "killed");
        return lifecycle.await(WorkerPhase.RECONNECTING);
    }

    private static boolean attention(LifecycleFixture lifecycle) {
        return Boolean.TRUE.equals(InMemoryServer.attention(lifecycle.worker));
    }
}
