package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The planned end of a worker. */
class StopTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @Tag("A8")
    @DisplayName("A stop closes the session, stops the task and ends in TERMINATED")
    void stopEndsInTerminated() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.stop("logged out");
            WorkerState state = lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(state.process()).isNull();
            assertThat(state.deaths()).isZero();
            assertThat(lifecycle.process.closed).containsExactly(1L);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST);
            assertThat(lifecycle.heartbeats.deleted).containsExactly(1L);
        }
    }

    @Test
    @Tag("A2")
    @Tag("A9")
    @DisplayName("Temporal's index tells the state of each worker, and since when it is in it")
    void workerStateIsIndexed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            isIndexed(lifecycle, lifecycle.active());
            lifecycle.server.skip(Duration.ofMinutes(5));
            lifecycle.worker.stop("logged out");
            isIndexed(lifecycle, lifecycle.await(WorkerPhase.TERMINATED));
        }
    }

    private static void isIndexed(LifecycleFixture lifecycle, WorkerState state) {
        assertThat(InMemoryServer.indexed(lifecycle.worker, BerthSearchAttributes.WORKER_STATE))
                .isEqualTo(state.phase().name());
        assertThat(InMemoryServer.indexed(lifecycle.worker, BerthSearchAttributes.WORKER_STATE_SINCE))
                .isEqualTo(state.status().since().atOffset(ZoneOffset.UTC));
    }

    @Test
    @Tag("A8")
    @DisplayName("A worker that cannot close its session is stopped in any case")
    void unresponsiveWorkerIsStoppedAnyway() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFailure(new IllegalStateException("gone"));
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @Tag("B3")
    @Tag("A2")
    @DisplayName("A stop cannot overtake a start: it cuts the start short and undoes what was begun")
    void stopWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFrom(opening);
            lifecycle.ensure();
            await().until(() -> lifecycle.process.opened.size() == 1);
            lifecycle.worker.stop("logged out");
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).status().reason())
                    .isEqualTo("logged out");
            opening.complete(true);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST);
            assertThat(lifecycle.heartbeats.deleted).containsExactly(1L);
        }
    }

    @Test
    @Tag("X2")
    @DisplayName(
            "A worker that no process can stop is fenced before its heartbeat key is deleted: by then its lease has run out")
    void stopOfAnUnstoppable() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.tasks.stopped.nextFailures(1_000, new IllegalStateException("StopTask is not heard"));
            lifecycle.process.close.nextFailure(new IllegalStateException("frozen"));
            lifecycle.worker.stop("logged out");
            await().until(() -> !lifecycle.tasks.stops.isEmpty());
            assertThat(lifecycle.heartbeats.epoch).hasValue(2);
            assertThat(lifecycle.heartbeats.deleted).isEmpty();
            lifecycle.server.skip(WorkerHeartbeats.LEASE_OVER.plusSeconds(2));
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).unconfirmedStops())
                    .containsExactly(new WorkerState.UnconfirmedStop(1, FIRST));
            assertThat(lifecycle.heartbeats.deleted).containsExactly(1L);
        }
    }

    @Test
    @Tag("B3")
    @Tag("A2")
    @DisplayName("A stop while a claim is on its way voids the claim: a process that takes it late has an old epoch")
    void stopWhileClaimed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CLAIMED);
            lifecycle.worker.stop("logged out");
            WorkerState state = lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(state.raised()).isEqualTo(2);
            assertThat(lifecycle.heartbeats.epoch).hasValue(2);
            assertThat(lifecycle.happened).containsExactly("claim 1");
            assertThat(lifecycle.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("B3")
    @Tag("A2")
    @DisplayName("A stop while no host has room withdraws the launch")
    void stopWhileNoHostHasRoom() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.tasks.runs.nextFailures(1_000, FailureType.NO_ROOM.failure("RESOURCE:MEMORY"));
            lifecycle.ensure();
            await().until(() -> !lifecycle.tasks.launches.isEmpty());
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.happened).isEmpty();
        }
    }

    @Test
    @Tag("B3")
    @Tag("A2")
    @DisplayName("A task that was started while it was stopped is stopped again")
    void stopWhileLaunching() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.awaitRunning();
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST);
        }
    }

    @Test
    @Tag("B3")
    @Tag("A2")
    @DisplayName("A task whose process is being asked whether it serves is stopped like any other")
    void stopWhileAsking() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.awaitSilentLaunch();
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST);
        }
    }

    @Test
    @Tag("B3")
    @DisplayName("A stop between two tries to start ends in TERMINATED, with nothing left")
    void stopWhileFailed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailures(3, new IllegalStateException("the broker is unavailable"));
            lifecycle.ensure();
            lifecycle.server.skip(Duration.ofSeconds(5));
            lifecycle.await(WorkerPhase.FAILED);
            lifecycle.worker.stop("logged out");
            WorkerState state = lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(state.process()).isNull();
            assertThat(lifecycle.tasks.stops).hasSameSizeAs(lifecycle.tasks.launches);
        }
    }

    @Test
    @Tag("B3")
    @DisplayName("A worker that dies while it is wanted no more ends in TERMINATED")
    void deathOfAnUnwantedWorker() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.tasks.stopped.nextFrom(stopped);
            lifecycle.freeze();
            await().until(() -> lifecycle.tasks.stops.size() == 1);
            lifecycle.worker.stop("logged out");
            stopped.complete(true);
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.tasks.launches).hasSize(1);
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("An order that arrives while draining wins: the next epoch is started")
    void ensureWhileDraining() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFrom(closing);
            lifecycle.worker.stop("idle");
            await().until(() -> lifecycle.process.closed.size() == 1);
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.DRAINING);
            lifecycle.ensure();
            closing.complete(CloseOutcome.CLOSED);
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.isWanted()).isTrue();
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @Tag("X33")
    @DisplayName("An order right after a stop does not keep the worker: the next epoch sends it")
    void ensureRightAfterStop() {
        WorkerState stopped;
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState active = lifecycle.active();
            lifecycle.worker.stop("logged out");
            DesiredState desired = lifecycle.await(WorkerPhase.TERMINATED).desired();
            assertThat(desired.stoppedEpoch()).isEqualTo(1);
            stopped = active.withDesired(desired.needed());
        }
        // As after both signals in one workflow task, before the lifecycle can act on the stop.
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(stopped)) {
            WorkerState next = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(next.desired().stoppedEpoch()).isEqualTo(1);
            assertThat(lifecycle.process.closed).containsExactly(1L);
            assertThat(lifecycle.happened).containsExactly("stop " + FIRST, "run 2");
        }
    }

    @Test
    void aStopWithoutAWorkerDoesNothing() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.stop("logged out");
            lifecycle.worker.stop("logged out");
            assertThat(lifecycle.worker.state().status())
                    .isEqualTo(WorkerState.none(Samples.ALICE).status());
            assertThat(lifecycle.happened).isEmpty();
            assertThat(lifecycle.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("A9")
    @DisplayName("The stop of a launch that did not answer goes on when its user is suspended meanwhile")
    void suspendedWhileALaunchIsStopped() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.tasks.stopped.nextFailures(3, new IllegalStateException("ECS is unavailable"));
            lifecycle.ensure();
            await().until(() -> lifecycle.tasks.launches.size() == 1);
            lifecycle.server.skip(WorkerPolicies.LAUNCH_ANSWER.plusSeconds(1));
            await().until(() -> !lifecycle.tasks.stops.isEmpty());
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.server.skip(Duration.ofSeconds(30));
            await().until(() -> lifecycle.happened.contains("stop " + FIRST));
            lifecycle.awaitState(now -> now.unconfirmedStops().isEmpty());
            assertThat(lifecycle.heartbeats.epoch.get())
                    .as("no process may come with the first one")
                    .isGreaterThan(1);
        }
    }
}
