package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a worker's death is found, and what follows. */
class DeathTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    @Test
    @DisplayName("X5 a task-stopped event is proof: the worker is replaced at once")
    void taskStopped() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.taskStopped(FIRST, "OutOfMemoryError");
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(state.unproven()).isEmpty();
            assertThat(at.happened).containsExactly("run 1", "run 2");
            assertThat(at.marks.cleared).containsExactly(1L);
        }
    }

    @Test
    @DisplayName(
            "X4 once a worker is dead its epoch is void, though its successor waits: a claim that it took and did not"
                    + " delete comes again, and nobody else may take it")
    void itsClaimIsVoid() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            for (long epoch = 1; epoch <= WorkerPolicies.DEATHS; epoch++) {
                long next = epoch + 1;
                at.worker.taskStopped(FakeWorkerTasks.arn(epoch), "killed");
                at.awaitState(now -> now.epoch() == next && now.phase() == WorkerPhase.ACTIVE);
            }
            at.worker.taskStopped(FakeWorkerTasks.arn(WorkerPolicies.DEATHS + 1), "killed");
            WorkerState held = at.awaitState(now -> now.status() instanceof WorkerStatus.BackingOff);
            assertThat(held.epoch()).isEqualTo(WorkerPolicies.DEATHS + 1);
            assertThat(at.marks.epoch).hasValue(WorkerPolicies.DEATHS + 2);
        }
    }

    @Test
    @DisplayName("X5 the stop of another task, or of one that is replaced already, changes nothing")
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
            assertThat(at.happened).containsExactly("run 1", "run 2");
        }
    }

    @Test
    @DisplayName("X5 a stopped event that comes before the answer of the launch it belongs to is not lost")
    void stoppedBeforeItsLaunchAnswered() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.tasks.runs.nextFrom(answer);
            at.process.nobodyHas.add(1L);
            at.ensure();
            await().until(() -> at.tasks.launches.size() == 1);
            at.worker.taskStopped(FIRST, "CannotPullContainerError");
            answer.complete(true);
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(at.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
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
    @DisplayName(
            "A9 X2 a frozen worker, without a mark and without an answer, is fenced, stopped, proven, and replaced")
    void frozen() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.tasks.stopped.nextFrom(stopped);
            at.freeze();
            await().until(() -> at.tasks.stops.contains(FIRST));
            assertThat(at.marks.epoch)
                    .as("it can not renew its mark from now on")
                    .hasValue(2);
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.RECONNECTING);
            assertThat(at.tasks.launches).hasSize(1);

            stopped.complete(true);
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(state.unproven()).isEmpty();
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @DisplayName("A9 a worker whose mark runs out while it is being asked is not asked once more")
    void fallsSilentFirst() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.diesWhileAsked();
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(at.process.pings).containsExactly(1L);
            assertThat(at.happened).containsExactly("run 1", "stop " + FIRST, "run 2");
        }
    }

    @Test
    @DisplayName("X2 E10 a worker that nobody can stop is fenced; its successor starts when its lease is surely over")
    void canNotBeStopped() {
        try (WorkerFixture at = new WorkerFixture()) {
            WorkerState first = at.active();
            at.tasks.stopped.nextFailures(1_000, new IllegalStateException("StopTask is not heard"));
            at.freeze();
            at.server.skip(WorkerPolicies.LEASE_OVER.plusSeconds(2));
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(Duration.between(first.status().since(), state.status().since()))
                    .isGreaterThanOrEqualTo(WorkerPolicies.LEASE_OVER);
            assertThat(state.unproven()).containsExactly(new WorkerState.Unproven(1, FIRST));
            assertThat(WorkerDetails.of(state, "berth", state.status().since())).contains("Not proven dead");

            at.worker.taskStopped(FIRST, "it ended itself");
            WorkerState proven = at.awaitState(now -> now.unproven().isEmpty());
            assertThat(proven.epoch()).isEqualTo(2);
            assertThat(proven.phase()).isEqualTo(WorkerPhase.ACTIVE);
        }
    }

    @Test
    @DisplayName("X6 while Redis was away its marks prove nothing: ECS is asked, and nobody is replaced")
    void redisWasAway() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.UNSURE;
            at.worker.markExpired();
            await().until(() -> at.marks.looks.get() == 2);
            at.server.skip(WorkerPolicies.MARKS_SETTLE.plusSeconds(5));
            await().until(() -> at.marks.looks.get() == 3);
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            assertThat(at.process.pings).isEmpty();

            at.tasks.dead.add(FIRST);
            at.worker.markExpired();
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(at.tasks.stops).isEmpty();
        }
    }

    @Test
    @DisplayName("D1 a process that keeps its mark but answers nothing for 180 s is replaced")
    void hungAsAWhole() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.ping.nextFailures(1_000, new IllegalStateException("hangs"));
            at.server.skip(WorkerPolicies.PING_AGAIN);
            at.ensure();
            await().until(() -> at.process.pings.size() == 1);
            at.server.skip(Duration.ofSeconds(100));
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            at.server.skip(Duration.ofMinutes(2));
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
            assertThat(at.tasks.stops).containsExactly(FIRST);
        }
    }

    @Test
    @DisplayName("X5 a worker that dies while its session is being opened is replaced")
    void diesWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFrom(opening);
            at.ensure();
            await().until(() -> at.process.opened.size() == 1);
            at.worker.taskStopped(FIRST, "killed");
            opening.completeExceptionally(new IllegalStateException("connection reset"));
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(at.happened).containsExactly("run 1", "run 2");
        }
    }

    @Test
    @DisplayName("A13 the event that a planned stop causes is no death")
    void eventOfAPlannedStop() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.tasks.stopped.nextFrom(stopped);
            at.worker.stop("logged out");
            await().until(() -> at.tasks.stops.size() == 1);
            at.worker.taskStopped(FIRST, "stopped as asked");
            stopped.complete(true);
            at.await(WorkerPhase.TERMINATED);
            WorkerState state = at.active();
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.deaths()).isZero();
        }
    }

    @Test
    @DisplayName(
            "X5 more than five deaths in ten minutes call for a person, with a pause; a user who insists starts at once")
    void crashLoop() {
        try (WorkerFixture at = new WorkerFixture()) {
            WorkerState paused = diedTooOften(at);
            assertThat(paused.isCrashLooping(at.server.now())).isTrue();
            assertThat(paused.status().reason()).contains("too often").contains("killed");
            at.ensure();
            assertThat(at.worker.state().epoch()).isEqualTo(6);

            at.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            at.awaitState(now -> now.epoch() == 7 && now.phase() == WorkerPhase.ACTIVE);
            at.worker.taskStopped(FakeWorkerTasks.arn(7), "killed");
            at.await(WorkerPhase.RECONNECTING);
            at.server.skip(WorkerPolicies.FIRST_CRASH_PAUSE.multipliedBy(3));
            at.awaitState(now -> now.epoch() == 8 && now.phase() == WorkerPhase.ACTIVE);
        }
    }

    @Test
    @DisplayName("X5 a worker that died too often calls for nobody any more once it rests and the deaths are long ago")
    void calmAtRest() {
        try (WorkerFixture at = new WorkerFixture()) {
            diedTooOften(at);
            at.worker.suspend("it dies all the time");
            at.await(WorkerPhase.SUSPENDED);
            assertThat(attention(at)).isTrue();
            at.server.skip(WorkerPolicies.DEATHS_WITHIN.plusSeconds(5));
            await().until(() -> !attention(at));
        }
    }

    private static WorkerState diedTooOften(WorkerFixture at) {
        at.active();
        for (long epoch = 1; epoch <= WorkerPolicies.DEATHS; epoch++) {
            long next = epoch + 1;
            at.worker.taskStopped(FakeWorkerTasks.arn(epoch), "killed");
            at.awaitState(now -> now.epoch() == next && now.phase() == WorkerPhase.ACTIVE);
        }
        at.worker.taskStopped(FakeWorkerTasks.arn(6), "killed");
        return at.await(WorkerPhase.RECONNECTING);
    }

    private static boolean attention(WorkerFixture at) {
        return Boolean.TRUE.equals(InMemoryServer.attention(at.worker));
    }
}
