package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lifecycle that knows nothing keeps what lives. */
class WorkerAdoptionTest {
    @Test
    @Tag("X6")
    @DisplayName("A new lifecycle keeps the process that serves its user already")
    void newLifecycleAdoptsServingProcess() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(4);
            lifecycle.process.alive.set(4);
            WorkerState state = lifecycle.active();
            assertThat(state.epoch()).isEqualTo(4);
            assertThat(Objects.requireNonNull(state.status().worker()).origin()).isEqualTo(LiveWorker.Origin.ADOPTED);
            assertThat(lifecycle.happened).isEmpty();
            lifecycle.stopped(FakeWorkerTasks.arn(4), "killed");
            lifecycle.awaitState(now -> now.epoch() == 5 && now.phase() == WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("X2")
    @DisplayName("A process that ECS does not know as a worker of the user is not adopted, whatever it says of itself")
    void impostorIsNotAdopted() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(4);
            lifecycle.process.alive.set(4);
            lifecycle.tasks.foreign.add(FakeWorkerTasks.arn(4));
            WorkerState state = lifecycle.active();
            assertThat(state.epoch()).isEqualTo(5);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(5));
            assertThat(lifecycle.process.opened).containsExactly(5L);
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("A worker that lost its epoch with Redis is kept by a lifecycle that knows nothing, too")
    void seenByANewLifecycle() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.alive.set(7);
            lifecycle.worker.workerFound(7, FakeWorkerTasks.arn(7));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(7);
            assertThat(lifecycle.heartbeats.epoch).hasValue(7);
            assertThat(lifecycle.happened).isEmpty();
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("A process that renews its heartbeat key and does not answer is asked again, and kept; without "
            + "a heartbeat it is stopped")
    void silentForAWhile() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.workerFound(7, FakeWorkerTasks.arn(7));
            // An unanswered question takes two seconds of real time.
            await().atMost(Duration.ofSeconds(60)).until(() -> lifecycle.heartbeats.reads.get() >= 2);
            lifecycle.process.alive.set(7);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(7);
            assertThat(lifecycle.happened).isEmpty();
        }
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.worker.workerFound(7, FakeWorkerTasks.arn(7));
            await().atMost(Duration.ofSeconds(60)).until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(7)));
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("A process that is told of while it is adopted is not unexpected afterwards")
    void seenWhileItIsAdopted() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(4);
            lifecycle.process.alive.set(4);
            lifecycle.process.attach.nextFrom(answer);
            lifecycle.ensure();
            await().until(() -> !lifecycle.process.attaches.isEmpty());
            lifecycle.worker.workerFound(4, FakeWorkerTasks.arn(4));
            answer.complete(true);
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.process.closed)
                    .as("not stopped before it was asked to close")
                    .containsExactly(4L);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A worker whose lifecycle is gone is stopped when its user is suspended, or all are")
    void suspendedWhileNobodyLooksAfterIt() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(4);
            lifecycle.process.alive.set(4);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(4)));
        }
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.fleet = new FleetSwitch(1, true, "the venue is closed");
            lifecycle.process.alive.set(4);
            lifecycle.worker.workerFound(4, FakeWorkerTasks.arn(4));
            lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(lifecycle.tasks.stops).containsExactly(FakeWorkerTasks.arn(4));
        }
    }

    @Test
    @Tag("B7")
    @DisplayName("A start that was lost with its orchestrator leaves no worker when the user stops it meanwhile")
    void stoppedAfterALostStart() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(1);
            lifecycle.process.alive.set(1);
            lifecycle.worker.stop("stopped by its user");
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(1)));
            lifecycle.await(WorkerPhase.TERMINATED);
        }
    }

    @Test
    @Tag("X2")
    @DisplayName("The epoch of a worker that was stopped unknown is given to no other one")
    void epochOfUnexpectedTask() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            long next = lifecycle.worker.state().raised() + 1;
            lifecycle.heartbeats.epoch.set(next);
            lifecycle.worker.workerFound(next, FakeWorkerTasks.arn(next));
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(next)));
            assertThat(lifecycle.active().epoch()).isGreaterThan(next);
        }
    }

    @Test
    @Tag("B7")
    @DisplayName("The claim of a start that was lost is void before a pool worker takes it")
    void claimOfALostStart() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.epoch.set(1);
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.worker.stop("stopped by its user");
            await().until(() -> lifecycle.heartbeats.epoch.get() == 2);
            lifecycle.await(WorkerPhase.TERMINATED);
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("The current worker gets its epoch back when Redis has lost it")
    void lostEpochIsRestored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.heartbeats.epoch.set(0);
            lifecycle.worker.workerFound(1, FakeWorkerTasks.arn(1));
            await().until(() -> lifecycle.heartbeats.epoch.get() == 1);
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("A9")
    @DisplayName("Another worker of the same user is stopped")
    void unexpectedTaskIsStopped() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.workerFound(9, FakeWorkerTasks.arn(9));
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(9)));
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("A9")
    @Tag("X12")
    @DisplayName("A worker of another user is not stopped, though a person names it")
    void workerOfAnother() {
        String another = FakeWorkerTasks.arn(9);
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.ofAnother.add(another);
            lifecycle.worker.workerFound(9, another);
            lifecycle.active();
            lifecycle.worker.workerFound(9, another);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().raised()).isEqualTo(1);
            assertThat(lifecycle.tasks.stops).isEmpty();
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("New credentials reach a process that was adopted, and removed ones are taken from it")
    void reloadOfAnAdopted() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.alive.set(7);
            lifecycle.worker.workerFound(7, FakeWorkerTasks.arn(7));
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.opened.contains(7L));
        }
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.alive.set(7);
            lifecycle.worker.workerFound(7, FakeWorkerTasks.arn(7));
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.sealed.nextFailure(FailureType.ACCOUNT_UNKNOWN.failure("no such account"));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.dropped.contains(Samples.PAPER));
        }
    }
}
