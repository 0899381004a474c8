package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A worker that answers, but keeps no mark: Redis lost its data, or the worker does not reach it. */
class UnmarkedTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @DisplayName("X6 a worker without a mark that answers is kept, and its epoch is put back: one proof is not two")
    void unmarkedButAlive() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.marks.epoch.set(0);
            at.worker.markExpired();
            await().until(() -> at.marks.epoch.get() == 1);
            at.worker.markExpired();
            await().until(() -> at.process.pings.size() == 2);
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            assertThat(at.tasks.stops).isEmpty();
        }
    }

    @Test
    @DisplayName("A9 E10 a worker that answers but keeps no mark for 60 s, though Redis is there, is replaced when the"
            + " sweep, which stops only a few at a time, says so again")
    void neverMarksItselfAgain() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.worker.markExpired();
            await().until(() -> at.process.pings.size() == 1);
            at.server.skip(Duration.ofSeconds(50));
            at.worker.markExpired();
            at.server.skip(Duration.ofMinutes(10));
            at.ensureAndAwaitLook();
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            at.worker.markExpired();
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(at.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @DisplayName("X6 a worker that marks itself again within 60 s is kept, however often Redis loses its data")
    void marksItselfAgain() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            for (int time = 1; time <= 3; time++) {
                int answered = at.process.pings.size();
                at.marks.mark = WorkerMarks.Mark.GONE;
                at.worker.markExpired();
                await().until(() -> at.process.pings.size() == answered + 1);
                // As a worker says that finds its epoch lost: it reaches Redis.
                at.worker.seen(1, FIRST);
                at.marks.mark = WorkerMarks.Mark.KEPT;
                at.server.skip(Duration.ofSeconds(75));
            }
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            assertThat(at.tasks.stops).isEmpty();
        }
    }
}
