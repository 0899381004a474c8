package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From an attached process to open sessions, or to the reason why not. */
class ConnectingTest {
    @Test
    @Tag("X4")
    @DisplayName("A session whose opening fell to a process with another epoch is asked for again; no attempt is lost")
    void misdirectedOpeningCostsNoAttempt() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailures(WorkerPolicies.CONNECT_ATTEMPTS + 1, FakeWorkerControl.wrongEpoch());
            assertThat(lifecycle.active().epoch()).isEqualTo(1);
            assertThat(lifecycle.process.opened).hasSize(WorkerPolicies.CONNECT_ATTEMPTS + 2);
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A2")
    @Tag("X6")
    @DisplayName("A key service that refuses for good ends the start with the reason, and a stop is heard meanwhile")
    void credentialsCanNotBeOpened() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.sealed.usual(() -> {
                throw new IllegalStateException("the key's policy does not allow it");
            });
            lifecycle.ensure();
            lifecycle.awaitEnd(Duration.ofMinutes(2), WorkerPhase.FAILED);
            assertThat(lifecycle.worker.state().status().reason()).contains("the key's policy does not allow it");
            assertThat(lifecycle.tasks.stops).containsExactly(FakeWorkerTasks.arn(1));
        }
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.sealed.usual(() -> {
                throw new IllegalStateException("the key's policy does not allow it");
            });
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CONNECTING);
            lifecycle.worker.stop("logged out");
            lifecycle.awaitEnd(Duration.ofMinutes(1), WorkerPhase.TERMINATED);
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("Refused credentials end the start with the reason; they are tried again after longer each time")
    void refusedCredentialsEndStart() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailures(2, FailureType.CREDENTIALS_REFUSED.failure("alpaca refused the key"));
            lifecycle.ensure();
            WorkerState failed = lifecycle.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).isEqualTo("alpaca refused the key");
            assertThat(failed.process()).isNull();
            lifecycle.ensure();
            lifecycle.server.skip(WorkerPolicies.FIRST_REFUSED_RETRY.minusSeconds(10));
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.FAILED);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));
            lifecycle.server.skip(Duration.ofSeconds(20));
            await().until(() -> lifecycle.process.opened.size() == 2);
            lifecycle.await(WorkerPhase.FAILED);
            lifecycle.ensure();
            lifecycle.server.skip(WorkerPolicies.FIRST_REFUSED_RETRY);
            assertThat(lifecycle.process.opened).hasSize(2);
            lifecycle.server.skip(WorkerPolicies.FIRST_REFUSED_RETRY);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(3);
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("Refused credentials are left alone while another account's broker is tried again")
    void refusedIsLeftAlone() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            CompletableFuture<Boolean> bothAreNeeded = new CompletableFuture<>();
            lifecycle.sealed.nextFrom(bothAreNeeded);
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("alpaca refused the key"));
            lifecycle.process.open.nextFailures(3, new IllegalStateException("the broker is unavailable"));
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CONNECTING);
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            bothAreNeeded.complete(true);
            lifecycle.server.skip(Duration.ofSeconds(10));
            WorkerState active = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(active.epoch()).as("another start").isEqualTo(2);
            assertThat(active.status().reason()).contains("alpaca refused the key");
            assertThat(lifecycle.process.accounts)
                    .containsExactly(Samples.PAPER, Samples.SECOND, Samples.SECOND, Samples.SECOND, Samples.SECOND);
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("Other credentials are tried at once after refused ones")
    void otherCredentialsAreTriedAtOnce() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("alpaca refused the key"));
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.FAILED);
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("A2")
    @Tag("A7")
    @DisplayName("A worker that has lost its only session leaves ACTIVE with the reason; its process stays")
    void lostSessionLeavesActive() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("alpaca refused the key"));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            WorkerState lost = lifecycle.await(WorkerPhase.CONNECTING);
            assertThat(lost.status().reason()).contains("alpaca refused the key");
            assertThat(lost.process()).isNotNull();
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("After refused credentials a user who says so starts at once")
    void refusedThenRequested() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.FAILED);
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("An account that is not known ends the start with the reason")
    void unknownAccountEndsStart() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.sealed.nextFailure(FailureType.ACCOUNT_UNKNOWN.failure("no such account"));
            lifecycle.ensure();
            assertThat(lifecycle.await(WorkerPhase.FAILED).status().reason()).isEqualTo("no such account");
            assertThat(lifecycle.tasks.stops).containsExactly(FakeWorkerTasks.arn(1));
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("Three attempts to connect, by the same process; the third may succeed")
    void thirdConnectAttemptMaySucceed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailures(2, new IllegalStateException("the broker is unavailable"));
            lifecycle.ensure();
            lifecycle.server.skip(Duration.ofSeconds(10));
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
            assertThat(lifecycle.process.opened).containsExactly(1L, 1L, 1L);
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("After three attempts it is FAILED, and an order's need tries again after a while")
    void threeAttemptsFail() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailures(3, new IllegalStateException("the broker is unavailable"));
            lifecycle.ensure();
            lifecycle.server.skip(Duration.ofSeconds(10));
            WorkerState failed = lifecycle.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).contains("the broker is unavailable");
            assertThat(lifecycle.process.opened).containsExactly(1L, 1L, 1L);
            lifecycle.ensure();
            lifecycle.server.skip(WorkerPolicies.FIRST_RETRY);
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(Duration.between(failed.status().since(), state.status().since()))
                    .isGreaterThanOrEqualTo(WorkerPolicies.FIRST_RETRY);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("What comes while a refused start is taken back counts: new credentials, another "
            + "account, a user who says so")
    void saidWhileItFails() {
        List<Consumer<WorkerLifecycleWorkflow>> words = List.of(
                worker -> worker.reloadCredentials(Samples.PAPER),
                worker -> worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER)),
                worker -> worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST)));
        for (Consumer<WorkerLifecycleWorkflow> word : words) {
            try (LifecycleFixture lifecycle = new LifecycleFixture()) {
                CompletableFuture<Boolean> stopping = new CompletableFuture<>();
                lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
                lifecycle.tasks.stopped.nextFrom(stopping);
                lifecycle.ensure();
                await().until(() -> !lifecycle.tasks.stops.isEmpty());
                word.accept(lifecycle.worker);
                stopping.complete(true);
                assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
            }
        }
    }
}
