package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import java.time.Duration;
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
    @DisplayName("B3 a stop can not overtake a start: what was begun is finished, then stopped")
    void stopWhileStarting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFrom(opening::join);
            at.ensure();
            await().until(() -> at.process.opened.size() == 1);
            at.worker.stop("logged out");
            opening.complete(true);
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST);
        }
    }

    @Test
    @DisplayName("B3 a stop between two tries to start ends in TERMINATED, with nothing left")
    void stopWhileBackingOff() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailures(3, new IllegalStateException("the broker is away"));
            at.ensure();
            at.server.skip(Duration.ofSeconds(1));
            at.await(WorkerPhase.RECONNECTING);
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
            at.tasks.stopped.nextFrom(stopped::join);
            at.worker.taskStopped(FIRST, "killed");
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
            at.process.close.nextFrom(closing::join);
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
            assertThat(at.worker.state()).isEqualTo(WorkerState.none(Samples.ALICE));
            assertThat(at.active().epoch()).isEqualTo(1);
        }
    }
}
