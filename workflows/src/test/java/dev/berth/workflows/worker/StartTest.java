package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.LiveWorker.Origin;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From "this user needs a worker" to ACTIVE, or to the reason why not. */
class StartTest {
    @Test
    @DisplayName("A4 an idle pool worker is claimed, attached and connected, and the pool is refilled at once")
    void claimed() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            WorkerState state = at.active();
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(state.accounts()).containsExactly(Samples.PAPER);
            assertThat(state.process()).isNotNull();
            assertThat(at.happened).containsExactly("claim 1");
            assertThat(at.process.attaches).as("it says so by itself").isEmpty();
            assertThat(at.process.opened).containsExactly(1L);
            assertThat(at.marks.epoch).hasValue(1);
            await().until(() -> at.poolLooks.get() == 2);
        }
    }

    @Test
    @DisplayName("A4 an empty pool means RunTask, with a token that its retries share")
    void launched() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.tasks.runs.nextFailure(ApplicationFailure.newFailure("RESOURCE:MEMORY", WorkerTasks.NO_ROOM));
            WorkerState state = at.active();
            assertThat(origin(state)).isEqualTo(Origin.COLD);
            assertThat(at.tasks.launches).hasSize(2).containsOnly(at.tasks.launches.getFirst());
            assertThat(at.tasks.launches.getFirst().clientToken()).matches("[0-9a-f]{32}");
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("A4 a launch that finds no room looks at the pool again: a worker that became idle there is claimed")
    void claimedAfterNoRoom() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.tasks.runs.nextFailures(1_000, ApplicationFailure.newFailure("RESOURCE:MEMORY", WorkerTasks.NO_ROOM));
            at.ensure();
            await().until(() -> !at.tasks.launches.isEmpty());
            at.idle.next(true);
            at.server.skip(Duration.ofSeconds(40));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(at.happened).containsExactly("claim " + state.epoch());
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(40));
            assertThat(state.requestedAt()).isBefore(state.status().since().minusSeconds(10));
        }
    }

    @Test
    @DisplayName(
            "A4 X8 while launches are held the pool is looked at before each try: a worker that became idle is claimed")
    void claimedWhileLaunchesAreHeld() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.tasks.runs.nextFailures(
                    1_000,
                    ApplicationFailure.newBuilder()
                            .setMessage("held")
                            .setType(WorkerTasks.LAUNCHES_HELD)
                            .setNextRetryDelay(Duration.ofSeconds(35))
                            .build());
            at.ensure();
            await().until(() -> at.tasks.launches.size() >= 2);
            at.idle.next(true);
            at.server.skip(Duration.ofSeconds(20));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(origin(state)).isEqualTo(Origin.CLAIM);
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(30));
        }
    }

    @Test
    @DisplayName("X8 a launch for a user with working orders goes before those for other users")
    void workingOrdersFirst() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.WORKING_ORDER));
            at.await(WorkerPhase.ACTIVE);
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            at.active();
            assertThat(at.server.priorities(WorkflowIds.worker(Samples.ALICE), "runTask"))
                    .containsExactly(1, 2);
        }
    }

    @Test
    void everyLaunchHasATokenOfItsOwn() {
        try (WorkerFixture at = new WorkerFixture()) {
            WorkerState first = at.active();
            at.worker.taskStopped(Objects.requireNonNull(first.process()).taskArn(), "killed");
            at.awaitState(state -> state.epoch() == 2 && state.phase() == WorkerPhase.ACTIVE);
            assertThat(at.tasks.launches)
                    .extracting(FakeWorkerTasks.Launch::clientToken)
                    .hasSize(2)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("X4 a claim that nobody answers within 2 s is void: the next epoch is launched")
    void claimUnanswered() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.process.nobodyHas.add(1L);
            at.ensure();
            WorkerState claimed = at.await(WorkerPhase.CLAIMED);
            assertThat(claimed.status())
                    .isInstanceOfSatisfying(
                            WorkerStatus.Claimed.class,
                            claim -> assertThat(claim.deadline())
                                    .isEqualTo(claim.since().plusSeconds(2)));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(origin(state)).isEqualTo(Origin.COLD);
            assertThat(at.happened).containsExactly("claim 1", "run 2");
            assertThat(at.process.opened).containsExactly(2L);
            assertThat(Duration.between(claimed.status().since(), state.status().since()))
                    .isBetween(Duration.ofMillis(1_400), Duration.ofSeconds(20));
        }
    }

    @Test
    @DisplayName("X4 the word of a process with another epoch says nothing of the claim")
    void anotherAttached() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.process.nobodyHas.add(1L);
            at.ensure();
            at.await(WorkerPhase.CLAIMED);
            at.worker.attached(FakeWorkerControl.process(7));
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(at.happened).containsExactly("claim 1", "run 2");
        }
    }

    @Test
    @DisplayName("X4 a process that says nothing is asked, and one that speaks while it is asked is heard")
    void silentProcess() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.speaks = false;
            at.process.attach.usual(() -> {
                throw FakeWorkerControl.wrongEpoch();
            });
            at.ensure();
            at.awaitSilentLaunch();
            at.worker.attached(FakeWorkerControl.process(1));
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(1));
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("X4 a process with another epoch is asked again until the one that is meant answers")
    void wrongEpochFirst() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.speaks = false;
            at.process.attach.nextFailures(3, FakeWorkerControl.wrongEpoch());
            at.ensure();
            at.awaitSilentLaunch();
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
            assertThat(at.process.attaches).containsExactly(1L, 1L, 1L, 1L);
        }
    }

    @Test
    @DisplayName(
            "X4 a session whose opening fell to a process with another epoch is asked for again; no attempt is lost")
    void misdirectedOpening() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailures(WorkerPolicies.CONNECT_ATTEMPTS + 1, FakeWorkerControl.wrongEpoch());
            assertThat(at.active().epoch()).isEqualTo(1);
            assertThat(at.process.opened).hasSize(WorkerPolicies.CONNECT_ATTEMPTS + 2);
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("X4 the late word of a process that was given up takes nothing from the word of its successor")
    void lateWord() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.process.nobodyHas.add(1L);
            at.tasks.runs.nextFrom(answer);
            at.ensure();
            await().until(() -> !at.tasks.launches.isEmpty());
            at.worker.attached(FakeWorkerControl.process(2));
            at.worker.attached(FakeWorkerControl.process(1));
            at.process.speaks = false;
            answer.complete(true);
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            assertThat(at.process.attaches).as("that of the claim alone").doesNotContain(2L);
        }
    }

    @Test
    @DisplayName("X2 an epoch that is stored already is never given again, not even to a lifecycle that knows of none")
    void storedEpochIsHigher() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.marks.epoch.set(7);
            assertThat(at.active().epoch()).isEqualTo(8);
            assertThat(at.marks.epoch).hasValue(8);
        }
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.marks.epoch.set(1);
            assertThat(at.active().epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("X6 a start waits while Redis or the credential store is away, and goes on")
    void storesAreAway() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.marks.reachable.nextFailures(2, new IllegalStateException("Redis is away"));
            at.sealed.nextFailures(2, new IllegalStateException("PostgreSQL is away"));
            assertThat(at.active().epoch()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName(
            "A2 X6 a key service that refuses for good ends the start with the reason, and a stop is heard meanwhile")
    void credentialsCanNotBeOpened() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.sealed.usual(() -> {
                throw new IllegalStateException("the key's policy does not allow it");
            });
            at.ensure();
            at.awaitEnd(Duration.ofMinutes(2), WorkerPhase.FAILED);
            assertThat(at.worker.state().status().reason()).contains("the key's policy does not allow it");
            assertThat(at.tasks.stops).containsExactly(FakeWorkerTasks.arn(1));
        }
        try (WorkerFixture at = new WorkerFixture()) {
            at.sealed.usual(() -> {
                throw new IllegalStateException("the key's policy does not allow it");
            });
            at.ensure();
            at.await(WorkerPhase.CONNECTING);
            at.worker.stop("logged out");
            at.awaitEnd(Duration.ofMinutes(1), WorkerPhase.TERMINATED);
        }
    }

    @Test
    @DisplayName("E10 an epoch that was raised when the worker before was stopped is put back if Redis lost it since")
    void epochLostAtRest() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            at.marks.epoch.set(0);
            assertThat(at.active().epoch()).isEqualTo(2);
            assertThat(at.marks.epoch).hasValue(2);
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            at.marks.epoch.set(9);
            assertThat(at.active().epoch())
                    .as("the one that is stored may be another's")
                    .isEqualTo(10);
        }
    }

    @Test
    @DisplayName("A2 refused credentials end the start with the reason, and no order's need tries them again")
    void credentialsRefused() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailure(ApplicationFailure.newNonRetryableFailure(
                    "alpaca refused the key", WorkerControl.CREDENTIALS_REFUSED));
            at.ensure();
            WorkerState failed = at.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).isEqualTo("alpaca refused the key");
            assertThat(failed.process()).isNull();
            at.ensure();
            at.server.skip(Duration.ofMinutes(30));
            at.ensure();
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.FAILED);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));

            at.worker.reloadCredentials(Samples.PAPER);
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("A2 after refused credentials a user who says so starts at once")
    void refusedThenRequested() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailure(
                    ApplicationFailure.newNonRetryableFailure("refused", WorkerControl.CREDENTIALS_REFUSED));
            at.ensure();
            at.await(WorkerPhase.FAILED);
            at.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("A2 an account that is not known ends the start with the reason")
    void accountUnknown() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.sealed.nextFailure(ApplicationFailure.newNonRetryableFailure("no such account", "account-unknown"));
            at.ensure();
            assertThat(at.await(WorkerPhase.FAILED).status().reason()).isEqualTo("no such account");
            assertThat(at.tasks.stops).containsExactly(FakeWorkerTasks.arn(1));
        }
    }

    @Test
    @DisplayName("A2 three attempts to connect, by the same process; the third may succeed")
    void thirdAttempt() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailures(2, new IllegalStateException("the broker is away"));
            at.ensure();
            at.server.skip(Duration.ofSeconds(10));
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
            assertThat(at.process.opened).containsExactly(1L, 1L, 1L);
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("A2 after three attempts it is FAILED, and an order's need tries again after a while")
    void threeAttemptsFail() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailures(3, new IllegalStateException("the broker is away"));
            at.ensure();
            at.server.skip(Duration.ofSeconds(10));
            WorkerState failed = at.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).contains("the broker is away");
            assertThat(at.process.opened).containsExactly(1L, 1L, 1L);
            at.ensure();
            at.server.skip(WorkerPolicies.FIRST_RETRY);
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(Duration.between(failed.status().since(), state.status().since()))
                    .isGreaterThanOrEqualTo(WorkerPolicies.FIRST_RETRY);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
        }
    }

    @Test
    @DisplayName("X5 a launched task that dies before it answers is not waited for")
    void launchDies() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.nobodyHas.add(1L);
            at.ensure();
            at.awaitSilentLaunch();
            await().until(() -> at.process.attaches.size() >= 2);
            at.worker.taskStopped(FakeWorkerTasks.arn(1), "Essential container exited");
            WorkerState state = at.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.status().since()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
            assertThat(at.happened).containsExactly("run 1", "run 2");
        }
    }

    private static Origin origin(WorkerState state) {
        return Objects.requireNonNull(state.status().worker()).origin();
    }

    @Test
    @DisplayName(
            "A8 what comes while a refused start is taken back counts: new credentials, another account, a user who"
                    + " says so")
    void saidWhileItFails() {
        List<Consumer<WorkerLifecycleWorkflow>> words = List.of(
                worker -> worker.reloadCredentials(Samples.PAPER),
                worker -> worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER)),
                worker -> worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST)));
        for (Consumer<WorkerLifecycleWorkflow> word : words) {
            try (WorkerFixture at = new WorkerFixture()) {
                CompletableFuture<Boolean> stopping = new CompletableFuture<>();
                at.process.open.nextFailure(
                        ApplicationFailure.newNonRetryableFailure("refused", WorkerControl.CREDENTIALS_REFUSED));
                at.tasks.stopped.nextFrom(stopping);
                at.ensure();
                await().until(() -> !at.tasks.stops.isEmpty());
                word.accept(at.worker);
                stopping.complete(true);
                assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            }
        }
    }
}
