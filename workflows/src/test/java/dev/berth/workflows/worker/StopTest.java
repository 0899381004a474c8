package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The planned end of a worker. */
class StopTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @DisplayName("A8 a stop closes the session, stops the task and ends in TERMINATED")
    void stop() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.stop("logged out");
            WorkerState state = at.await(WorkerPhase.TERMINATED);
            assertThat(state.process()).isNull();
            assertThat(state.deaths()).isZero();
            assertThat(at.process.closed).containsExactly(1L);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST);
            assertThat(at.marks.cleared).containsExactly(1L);
        }
    }

    @Test
    @DisplayName("A2 A9 Temporal's index tells the state of each worker, and since when it is in it")
    void indexed() {
        try (WorkerFixture at = new WorkerFixture()) {
            isIndexed(at, at.active());
            at.server.skip(Duration.ofMinutes(5));
            at.worker.stop("logged out");
            isIndexed(at, at.await(WorkerPhase.TERMINATED));
        }
    }

    private static void isIndexed(WorkerFixture at, WorkerState state) {
        assertThat(InMemoryServer.indexed(at.worker, BerthSearchAttributes.WORKER_STATE))
                .isEqualTo(state.phase().name());
        assertThat(InMemoryServer.indexed(at.worker, BerthSearchAttributes.WORKER_STATE_SINCE))
                .isEqualTo(state.status().since().atOffset(ZoneOffset.UTC));
    }

    @Test
    @DisplayName("A8 a worker that can not close its session is stopped in any case")
    void silentWorker() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.close.nextFailure(new IllegalStateException("gone"));
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @DisplayName("B3 A2 a stop can not overtake a start: it cuts the start short and undoes what was begun")
    void stopWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFrom(opening);
            at.ensure();
            await().until(() -> at.process.opened.size() == 1);
            at.worker.stop("logged out");
            assertThat(at.await(WorkerPhase.TERMINATED).status().reason()).isEqualTo("logged out");
            opening.complete(true);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST);
            assertThat(at.marks.cleared).containsExactly(1L);
        }
    }

    @Test
    @DisplayName("X2 a worker that nobody can stop is fenced before its mark is removed: by then its lease has run out")
    void stopOfAnUnstoppable() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.tasks.stopped.nextFailures(1_000, new IllegalStateException("StopTask is not heard"));
            at.process.close.nextFailure(new IllegalStateException("frozen"));
            at.worker.stop("logged out");
            await().until(() -> !at.tasks.stops.isEmpty());
            assertThat(at.marks.epoch).hasValue(2);
            assertThat(at.marks.cleared).isEmpty();
            at.server.skip(WorkerPolicies.LEASE_OVER.plusSeconds(2));
            assertThat(at.await(WorkerPhase.TERMINATED).unproven()).containsExactly(new WorkerState.Unproven(1, FIRST));
            assertThat(at.marks.cleared).containsExactly(1L);
        }
    }

    @Test
    @DisplayName("B3 A2 a stop while a claim is on its way voids the claim: whoever takes it late has an old epoch")
    void stopWhileClaimed() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.process.nobodyHas.add(1L);
            at.ensure();
            at.await(WorkerPhase.CLAIMED);
            at.worker.stop("logged out");
            WorkerState state = at.await(WorkerPhase.TERMINATED);
            assertThat(state.raised()).isEqualTo(2);
            assertThat(at.marks.epoch).hasValue(2);
            assertThat(at.happened).containsExactly("claim 1");
            assertThat(at.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("B3 A2 a stop while no host has room withdraws the launch")
    void stopWhileNoHostHasRoom() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.tasks.runs.nextFailures(1_000, ApplicationFailure.newFailure("RESOURCE:MEMORY", WorkerTasks.NO_ROOM));
            at.ensure();
            await().until(() -> !at.tasks.launches.isEmpty());
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.happened).isEmpty();
        }
    }

    @Test
    @DisplayName("B3 A2 a task that was started while it was stopped is stopped again")
    void stopWhileLaunching() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.nobodyHas.add(1L);
            at.ensure();
            at.awaitRunning();
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST);
        }
    }

    @Test
    @DisplayName("B3 A2 a task whose process is being asked whether it serves is stopped like any other")
    void stopWhileAsking() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.nobodyHas.add(1L);
            at.ensure();
            at.awaitSilentLaunch();
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST);
        }
    }

    @Test
    @DisplayName("B3 a stop between two tries to start ends in TERMINATED, with nothing left")
    void stopWhileFailed() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailures(3, new IllegalStateException("the broker is away"));
            at.ensure();
            at.server.skip(Duration.ofSeconds(5));
            at.await(WorkerPhase.FAILED);
            at.worker.stop("logged out");
            WorkerState state = at.await(WorkerPhase.TERMINATED);
            assertThat(state.process()).isNull();
            assertThat(at.tasks.stops).hasSameSizeAs(at.tasks.launches);
        }
    }

    @Test
    @DisplayName("B3 a worker that dies while it is wanted no more ends in TERMINATED")
    void deathOfAnUnwantedWorker() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.tasks.stopped.nextFrom(stopped);
            at.freeze();
            await().until(() -> at.tasks.stops.size() == 1);
            at.worker.stop("logged out");
            stopped.complete(true);
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.tasks.launches).hasSize(1);
        }
    }

    @Test
    @DisplayName("A12 an order that arrives while draining wins: the next epoch is started")
    void ensureWhileDraining() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.close.nextFrom(closing);
            at.worker.stop("idle");
            await().until(() -> at.process.closed.size() == 1);
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.DRAINING);
            at.ensure();
            closing.complete(CloseOutcome.CLOSED);
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.isWanted()).isTrue();
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    void aStopWithoutAWorkerDoesNothing() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.worker.stop("logged out");
            at.worker.stop("logged out");
            assertThat(at.worker.state().status())
                    .isEqualTo(WorkerState.none(Samples.ALICE).status());
            assertThat(at.happened).isEmpty();
            assertThat(at.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A9 the stop of a launch that did not answer goes on when its user is suspended meanwhile")
    void suspendedWhileALaunchIsStopped() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.nobodyHas.add(1L);
            at.tasks.stopped.nextFailures(3, new IllegalStateException("ECS is away"));
            at.ensure();
            await().until(() -> at.tasks.launches.size() == 1);
            at.server.skip(WorkerPolicies.LAUNCH_ANSWER.plusSeconds(1));
            await().until(() -> !at.tasks.stops.isEmpty());
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            at.server.skip(Duration.ofSeconds(30));
            await().until(() -> at.happened.contains("stop " + FIRST));
            at.awaitState(now -> now.unproven().isEmpty());
            assertThat(at.marks.epoch.get())
                    .as("nobody may come with the first one")
                    .isGreaterThan(1);
        }
    }
}
