package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a worker's death is found, and what follows. */
class DeathTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @DisplayName("X5 a task-stopped event replaces the worker, after the old task is surely stopped")
    void taskStopped() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.tasks.stopped.nextFrom(stopped::join);
            at.worker.taskStopped(FIRST, "OutOfMemoryError");
            await().until(() -> at.tasks.stops.contains(FIRST));
            WorkerState waiting = at.worker.state();
            assertThat(waiting.phase()).isEqualTo(WorkerPhase.RECONNECTING);
            assertThat(waiting.status().reason()).isEqualTo("OutOfMemoryError");
            assertThat(at.tasks.launches).hasSize(1);
            stopped.complete(true);
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
            assertThat(at.marks.cleared).containsExactly(1L);
        }
    }

    @Test
    @DisplayName("A9 the stop of another task, or of one that is replaced already, changes nothing")
    void otherTasksAndRepeatedEvents() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            at.worker.taskStopped(FIRST, "killed");
            at.worker.taskStopped(FIRST, "killed");
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            at.worker.taskStopped(FIRST, "killed");
            at.ensureAndAwaitLook();
            WorkerState state = at.worker.state();
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @DisplayName("A4 an active worker that marks itself is left alone")
    void markedWorkerIsKept() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.ensureAndAwaitLook();
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(at.process.pings).isEmpty();
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("X6 a worker without a mark that answers is kept: one failed proof is not two")
    void unmarkedButAlive() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.ensure();
            await().until(() -> at.process.pings.size() == 1);
            at.ensure();
            await().until(() -> at.process.pings.size() == 2);
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            assertThat(at.tasks.stops).isEmpty();
        }
    }

    @Test
    @DisplayName("A9 a frozen worker, without a mark and without an answer, is stopped and replaced")
    void frozen() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.process.ping.nextFailure(new IllegalStateException("nobody there"));
            at.ensure();
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @DisplayName("X5 a worker that dies while its session is being opened is replaced")
    void diesWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFrom(opening::join);
            at.ensure();
            await().until(() -> at.process.opened.size() == 1);
            at.worker.taskStopped(FIRST, "killed");
            opening.completeExceptionally(new IllegalStateException("connection reset"));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @DisplayName("A9 the event that a planned stop causes is no death")
    void eventOfAPlannedStop() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailure(new IllegalStateException("the broker is away"));
            at.tasks.stopped.nextFrom(stopped::join);
            at.ensure();
            await().until(() -> at.tasks.stops.size() == 1);
            at.worker.taskStopped(FIRST, "stopped as asked");
            stopped.complete(true);
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.deaths()).isZero();
        }
    }
}
