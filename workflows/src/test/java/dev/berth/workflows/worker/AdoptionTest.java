package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
    @DisplayName(
            "X6 a process that keeps its mark and does not answer is asked again, and kept; without a mark it is stopped")
    void silentForAWhile() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.worker.seen(7, FakeWorkerTasks.arn(7));
            // An unanswered question takes two seconds of real time.
            await().atMost(Duration.ofSeconds(60)).until(() -> at.marks.looks.get() >= 2);
            at.process.alive.set(7);
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(7);
            assertThat(at.happened).isEmpty();
        }
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.worker.seen(7, FakeWorkerTasks.arn(7));
            await().atMost(Duration.ofSeconds(60)).until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(7)));
        }
    }

    @Test
    @DisplayName("X6 a process that is told of while it is adopted is no stranger afterwards")
    void seenWhileItIsAdopted() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.epoch.set(4);
            at.process.alive.set(4);
            at.process.attach.nextFrom(answer);
            at.ensure();
            await().until(() -> !at.process.attaches.isEmpty());
            at.worker.seen(4, FakeWorkerTasks.arn(4));
            answer.complete(true);
            at.await(WorkerPhase.ACTIVE);
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.process.closed)
                    .as("not stopped before it was asked to close")
                    .containsExactly(4L);
        }
    }

    @Test
    @DisplayName("D8 a worker whose lifecycle is gone is stopped when its user is suspended, or all are")
    void suspendedWhileNobodyLooksAfterIt() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.epoch.set(4);
            at.process.alive.set(4);
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            await().until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(4)));
        }
        try (WorkerFixture at = new WorkerFixture()) {
            at.fleet = new FleetSwitch(1, true, "the venue is closed");
            at.process.alive.set(4);
            at.worker.seen(4, FakeWorkerTasks.arn(4));
            at.await(WorkerPhase.SUSPENDED);
            assertThat(at.tasks.stops).containsExactly(FakeWorkerTasks.arn(4));
        }
    }

    @Test
    @DisplayName("B7 a start that was lost with its orchestrator leaves no worker when the user stops it meanwhile")
    void stoppedAfterALostStart() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.epoch.set(1);
            at.process.alive.set(1);
            at.worker.stop("stopped by its user");
            await().until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(1)));
            at.await(WorkerPhase.TERMINATED);
        }
    }

    @Test
    @DisplayName("X2 the epoch of a worker that was stopped unknown is given to no other one")
    void epochOfAStranger() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            long next = at.worker.state().raised() + 1;
            at.marks.epoch.set(next);
            at.worker.seen(next, FakeWorkerTasks.arn(next));
            await().until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(next)));
            assertThat(at.active().epoch()).isGreaterThan(next);
        }
    }

    @Test
    @DisplayName("B7 the claim of a start that was lost is void before a pool worker takes it")
    void claimOfALostStart() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.epoch.set(1);
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.worker.stop("stopped by its user");
            await().until(() -> at.marks.epoch.get() == 2);
            at.await(WorkerPhase.TERMINATED);
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

    @Test
    @DisplayName("A8 new credentials reach a process that was adopted, and removed ones are taken from it")
    void reloadOfAnAdopted() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.alive.set(7);
            at.worker.seen(7, FakeWorkerTasks.arn(7));
            at.await(WorkerPhase.ACTIVE);
            at.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> at.process.opened.contains(7L));
        }
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.alive.set(7);
            at.worker.seen(7, FakeWorkerTasks.arn(7));
            at.await(WorkerPhase.ACTIVE);
            at.sealed.nextFailure(ApplicationFailure.newNonRetryableFailure("no such account", "account-unknown"));
            at.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> at.process.dropped.contains(Samples.PAPER));
        }
    }
}
