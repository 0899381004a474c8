package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An idle worker ends, unless it is busy after all. */
class IdleTest {
    @Test
    @DisplayName("A12 a worker that says it is idle is closed if it still is, and its task stopped")
    void idle() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.idle(1);
            WorkerState state = at.await(WorkerPhase.TERMINATED);
            assertThat(state.status().reason()).isEqualTo(WorkerEnd.IDLE);
            assertThat(at.process.onlyIfIdle).containsExactly(true);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));
            assertThat(at.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("A12 a worker that has got an order meanwhile refuses, and goes on")
    void busyAfterAll() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.close.next(CloseOutcome.BUSY);
            at.worker.idle(1);
            await().until(() -> at.process.closed.size() == 1);
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(state.isWanted()).isTrue();
            assertThat(at.tasks.stops).isEmpty();
        }
    }

    @Test
    @DisplayName("A12 B3 a stop that comes while an idle worker refuses to close is carried out all the same")
    void stoppedWhileBusy() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.close.nextFrom(closing);
            at.worker.idle(1);
            await().until(() -> at.process.closed.size() == 1);
            at.worker.stop("logged out");
            closing.complete(CloseOutcome.BUSY);
            assertThat(at.await(WorkerPhase.TERMINATED).status().reason()).isEqualTo("logged out");
            assertThat(at.process.onlyIfIdle).containsExactly(true, false);
        }
    }

    @Test
    @DisplayName("A12 an order that races with the idle stop wins: the next epoch serves it")
    void orderWhileClosing() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.close.nextFrom(closing);
            at.worker.idle(1);
            await().until(() -> at.process.closed.size() == 1);
            at.ensure();
            closing.complete(CloseOutcome.CLOSED);
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
        }
    }

    @Test
    @DisplayName("A12 who asks for the worker after it said that it is idle, and before that was heard, keeps it")
    void askedForAfterIdle() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.openAnother(opening);
            at.worker.idle(1);
            at.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            opening.complete(true);
            at.awaitState(now -> now.status() instanceof WorkerStatus.Active active
                    && active.worker().sessions().size() == 2);
            at.ensureAndAwaitLook();
            assertThat(at.process.closed).isEmpty();
        }
    }

    @Test
    @DisplayName("A12 the word of an earlier worker is passed over")
    void anotherEpoch() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.idle(7);
            at.ensureAndAwaitLook();
            assertThat(at.process.closed).isEmpty();
        }
    }
}
