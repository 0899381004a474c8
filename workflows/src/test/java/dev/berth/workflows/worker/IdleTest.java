package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An idle worker ends, unless it is busy after all. */
class IdleTest {
    @Test
    @Tag("A12")
    @DisplayName("A worker that says it is idle is closed if it still is, and its task stopped")
    void idleWorkerIsStopped() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.idle(1);
            WorkerState state = lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(state.status().reason()).isEqualTo(WorkerShutdown.IDLE);
            assertThat(lifecycle.process.onlyIfIdle).containsExactly(true);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));
            assertThat(lifecycle.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("A worker that has got an order meanwhile refuses, and goes on")
    void busyAfterAll() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.next(CloseOutcome.BUSY);
            lifecycle.worker.idle(1);
            await().until(() -> lifecycle.process.closed.size() == 1);
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(state.isWanted()).isTrue();
            assertThat(lifecycle.tasks.stops).isEmpty();
        }
    }

    @Test
    @Tag("A12")
    @Tag("B3")
    @DisplayName("A stop that comes while an idle worker refuses to close is carried out all the same")
    void stoppedWhileBusy() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFrom(closing);
            lifecycle.worker.idle(1);
            await().until(() -> lifecycle.process.closed.size() == 1);
            lifecycle.worker.stop("logged out");
            closing.complete(CloseOutcome.BUSY);
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).status().reason())
                    .isEqualTo("logged out");
            assertThat(lifecycle.process.onlyIfIdle).containsExactly(true, false);
        }
    }

    @Test
    @Tag("A12")
    @Tag("E4")
    @DisplayName("An order that a worker did not take before its end gets the next epoch, without asking for it")
    void orderLeftInTheQueue() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.heartbeats.waiting = true;
            lifecycle.worker.idle(1);
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.heartbeats.waiting = false;
            lifecycle.worker.idle(2);
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("An order that races with the idle stop wins: the next epoch serves it")
    void orderWhileClosing() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFrom(closing);
            lifecycle.worker.idle(1);
            await().until(() -> lifecycle.process.closed.size() == 1);
            lifecycle.ensure();
            closing.complete(CloseOutcome.CLOSED);
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("Who asks for the worker after it said that it is idle, and before that was heard, keeps it")
    void askedForAfterIdle() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.openAnother(opening);
            lifecycle.worker.idle(1);
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            opening.complete(true);
            lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.Active active
                    && active.worker().sessions().size() == 2);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.process.closed).isEmpty();
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("The word of an earlier worker is passed over")
    void idleSignalOfAnotherEpochIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.idle(7);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.process.closed).isEmpty();
        }
    }
}
