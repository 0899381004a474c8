package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lifecycle that knows nothing keeps what lives. */
class AdoptionTest {
    @Test
    @DisplayName("X6 a new lifecycle keeps the process that serves its user already")
    void adopts() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.epoch.set(4);
            at.process.alive.set(4);
            WorkerState state = at.active();
            assertThat(state.epoch()).isEqualTo(4);
            assertThat(Objects.requireNonNull(state.status().worker()).origin()).isEqualTo(LiveWorker.Origin.ADOPTED);
            assertThat(at.happened).isEmpty();
            at.worker.taskStopped(FakeWorkerTasks.arn(4), "killed");
            at.awaitState(now -> now.epoch() == 5 && now.phase() == WorkerPhase.ACTIVE);
        }
    }

    @Test
    @DisplayName("X6 a worker that lost its epoch with Redis is kept by a lifecycle that knows nothing, too")
    void seenByANewLifecycle() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.alive.set(7);
            at.worker.seen(7, FakeWorkerTasks.arn(7));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(7);
            assertThat(at.marks.epoch).hasValue(7);
            assertThat(at.happened).isEmpty();
        }
    }

    @Test
    @DisplayName("X6 the current worker gets its epoch back when Redis has lost it")
    void epochRestored() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.epoch.set(0);
            at.worker.seen(1, FakeWorkerTasks.arn(1));
            await().until(() -> at.marks.epoch.get() == 1);
            assertThat(at.worker.state().epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A9 another worker of the same user is stopped")
    void stranger() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.seen(9, FakeWorkerTasks.arn(9));
            await().until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(9)));
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(at.worker.state().epoch()).isEqualTo(1);
        }
    }
}
