package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.LiveWorker.Origin;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From "this user needs a worker" to ACTIVE, or to the reason why not. */
class StartTest {
    @Test
    @Tag("A4")
    @DisplayName("An idle pool worker is claimed, attached and connected, and the pool is refilled at once")
    void idlePoolWorkerIsClaimed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            WorkerState state = lifecycle.active();
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(state.accounts()).containsExactly(Samples.PAPER);
            assertThat(state.process()).isNotNull();
            assertThat(lifecycle.happened).containsExactly("claim 1");
            assertThat(lifecycle.unanswered).isEmpty();
            assertThat(lifecycle.process.attaches).as("it says so by itself").isEmpty();
            assertThat(lifecycle.process.opened).containsExactly(1L);
            assertThat(lifecycle.heartbeats.epoch).hasValue(1);
            await().until(() -> lifecycle.poolLooks.get() == 2);
        }
    }

    @Test
    @Tag("A4")
    @DisplayName("A pool whose workflow an operator terminated is not refilled, which harms no claim")
    void claimedWithoutPoolWorkflow() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.idle.next(true);
            assertThat(origin(lifecycle.active())).isEqualTo(Origin.CLAIM);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("A4")
    @DisplayName("An empty pool means RunTask, with a token that its retries share")
    void emptyPoolLaunchesTask() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.tasks.runs.nextFailure(FailureType.NO_ROOM.failure("RESOURCE:MEMORY"));
            WorkerState state = lifecycle.active();
            assertThat(origin(state)).isEqualTo(Origin.COLD);
            assertThat(lifecycle.tasks.launches).hasSize(2).containsOnly(lifecycle.tasks.launches.getFirst());
            assertThat(lifecycle.tasks.launches.getFirst().clientToken()).matches("[0-9a-f]{32}");
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A4")
    @DisplayName("A launch that finds no room looks at the pool again: a worker that became idle there is claimed")
    void claimedAfterNoRoom() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.tasks.runs.nextFailures(1_000, FailureType.NO_ROOM.failure("RESOURCE:MEMORY"));
            lifecycle.ensure();
            await().until(() -> !lifecycle.tasks.launches.isEmpty());
            lifecycle.idle.next(true);
            lifecycle.server.skip(Duration.ofSeconds(40));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(lifecycle.happened).containsExactly("claim " + state.epoch());
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(40));
            assertThat(state.requestedAt()).isBefore(state.status().since().minusSeconds(10));
        }
    }

    @Test
    @Tag("A4")
    @Tag("X8")
    @DisplayName(
            "While the launch circuit is open the pool is looked at before each try: a worker that became idle is claimed")
    void claimedWhileLaunchesAreHeld() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.tasks.runs.nextFailures(
                    1_000,
                    ApplicationFailure.newBuilder()
                            .setMessage("the circuit is open")
                            .setType(FailureType.LAUNCH_CIRCUIT_OPEN.code())
                            .setNextRetryDelay(Duration.ofSeconds(35))
                            .build());
            lifecycle.ensure();
            await().until(() -> lifecycle.tasks.launches.size() >= 2);
            lifecycle.idle.next(true);
            lifecycle.server.skip(Duration.ofSeconds(20));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(30));
        }
    }

    @Test
    @Tag("X8")
    @DisplayName("A launch for a user with working orders goes before those for other users")
    void workingOrdersFirst() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.WORKING_ORDER));
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.active();
            assertThat(lifecycle.server.priorities(WorkflowIds.worker(Samples.ALICE), "runTask"))
                    .containsExactly(1, 2);
        }
    }

    @Test
    @Tag("D4")
    @DisplayName("Launches count for the group of the last request, in the default group for none")
    void launchCountsForGroup() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.ORDER, new UserGroup("gold")));
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.active();
            assertThat(lifecycle.server.fairnessKeys(WorkflowIds.worker(Samples.ALICE), "runTask"))
                    .containsExactly("gold", "");
        }
    }

    @Test
    void everyLaunchHasATokenOfItsOwn() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState first = lifecycle.active();
            lifecycle.stopped(Objects.requireNonNull(first.process()).taskArn(), "killed");
            lifecycle.awaitState(state -> state.epoch() == 2 && state.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.tasks.launches)
                    .extracting(FakeWorkerTasks.Launch::clientToken)
                    .hasSize(2)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("A claim that no process answers within 2 s is void: its worker is retired, the next epoch launched")
    void unansweredClaimIsVoid() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            WorkerState claimed = lifecycle.await(WorkerPhase.CLAIMED);
            assertThat(claimed.status())
                    .isInstanceOfSatisfying(
                            WorkerStatus.Claimed.class,
                            claim -> assertThat(claim.deadline())
                                    .isEqualTo(claim.since().plusSeconds(2)));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(origin(state)).isEqualTo(Origin.COLD);
            assertThat(lifecycle.happened).containsExactly("claim 1", "run 2");
            assertThat(lifecycle.unanswered).containsExactly(TaskArns.id(FakeWorkerTasks.arn(1)));
            assertThat(lifecycle.process.opened).containsExactly(2L);
            assertThat(Duration.between(claimed.status().since(), state.status().since()))
                    .isBetween(Duration.ofMillis(1_400), Duration.ofSeconds(20));
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("The word of a process with another epoch says nothing of the claim")
    void attachOfAnotherEpochIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CLAIMED);
            lifecycle.worker.attached(FakeWorkerControl.process(7));
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(lifecycle.happened).containsExactly("claim 1", "run 2");
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("A process that says nothing is asked, and one that speaks while it is asked is heard")
    void silentProcessIsAsked() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.speaks = false;
            lifecycle.process.attach.usual(() -> {
                throw FakeWorkerControl.wrongEpoch();
            });
            lifecycle.ensure();
            lifecycle.awaitSilentLaunch();
            lifecycle.worker.attached(FakeWorkerControl.process(1));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(1));
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("A process with another epoch is asked again until the one that is meant answers")
    void wrongEpochFirst() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.speaks = false;
            lifecycle.process.attach.nextFailures(3, FakeWorkerControl.wrongEpoch());
            lifecycle.ensure();
            lifecycle.awaitSilentLaunch();
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
            assertThat(lifecycle.process.attaches).containsExactly(1L, 1L, 1L, 1L);
        }
    }

    @Test
    @Tag("X4")
    @DisplayName("The late word of a process that was given up takes nothing from the word of its successor")
    void lateAttachDoesNotReplaceSuccessors() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.tasks.runs.nextFrom(answer);
            lifecycle.ensure();
            await().until(() -> !lifecycle.tasks.launches.isEmpty());
            lifecycle.worker.attached(FakeWorkerControl.process(2));
            lifecycle.worker.attached(FakeWorkerControl.process(1));
            lifecycle.process.speaks = false;
            answer.complete(true);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(lifecycle.process.attaches).as("that of the claim alone").doesNotContain(2L);
        }
    }

    @Test
    @Tag("X2")
    @DisplayName("An epoch that is stored already is never given again, not even to a lifecycle that knows of none")
    void storedEpochIsHigher() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.heartbeats.epoch.set(7);
            assertThat(lifecycle.active().epoch()).isEqualTo(8);
            assertThat(lifecycle.heartbeats.epoch).hasValue(8);
        }
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.heartbeats.epoch.set(1);
            assertThat(lifecycle.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("X6")
    @DisplayName("A start waits while Redis or the credential store is unavailable, and goes on")
    void storesAreUnavailable() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.heartbeats.reachable.nextFailures(2, new IllegalStateException("Redis is unavailable"));
            lifecycle.sealed.nextFailures(2, new IllegalStateException("PostgreSQL is unavailable"));
            assertThat(lifecycle.active().epoch()).isEqualTo(1);
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("E10")
    @DisplayName("An epoch that was raised when the worker before was stopped is put back if Redis lost it since")
    void epochLostAtRest() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.heartbeats.epoch.set(0);
            assertThat(lifecycle.active().epoch()).isEqualTo(2);
            assertThat(lifecycle.heartbeats.epoch).hasValue(2);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.heartbeats.epoch.set(9);
            assertThat(lifecycle.active().epoch())
                    .as("the one that is stored may be another's")
                    .isEqualTo(10);
        }
    }

    @Test
    @Tag("X5")
    @DisplayName("A launched task that dies before it answers is not waited for")
    void deadLaunchIsNotAwaited() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.awaitSilentLaunch();
            await().until(() -> lifecycle.process.attaches.size() >= 2);
            lifecycle.stopped(FakeWorkerTasks.arn(1), "Essential container exited");
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
            assertThat(lifecycle.happened).containsExactly("run 1", "run 2");
        }
    }

    private static Origin origin(WorkerState state) {
        return Objects.requireNonNull(state.status().worker()).origin();
    }
}
