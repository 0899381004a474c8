package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.Samples;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The accounts of a user's worker, beyond the first. */
class WorkerSessionsTest {
    @Test
    @Tag("A7")
    @DisplayName("A session is opened on the first use of its account, by the process that is there")
    void onFirstUse() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            WorkerState state = lifecycle.awaitState(now -> sessions(now) == 2);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(lifecycle.process.accounts).containsExactly(Samples.PAPER, Samples.SECOND);
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.process.accounts).hasSize(2);
        }
    }

    @Test
    @Tag("A7")
    @DisplayName("A second account that is refused is tried again by itself")
    void secondTriedAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            await().until(() -> lifecycle.process.accounts.size() == 2);
            lifecycle.server.skip(WorkerPolicies.FIRST_REFUSED_RETRY.plusSeconds(10));
            lifecycle.awaitState(now -> sessions(now) == 2);
        }
    }

    @Test
    @Tag("A7")
    @DisplayName("However many accounts a broker refuses, each is left alone for its time, and the worker is checked")
    void manyRefusedAccountsAreLeftAlone() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.usual(() -> {
                throw FailureType.CREDENTIALS_REFUSED.failure("refused");
            });
            int many = WorkerState.MAX_ACCOUNTS + 20;
            for (int number = 1; number <= many; number++) {
                AccountKey account = new AccountKey("alpaca", "equity", Environment.PAPER, "a" + number);
                lifecycle.worker.ensure(new WorkerNeed(account, WorkerNeed.Why.ORDER));
                int tried = number;
                await().until(() -> lifecycle.process.accounts.size() > tried);
            }
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.ORDER));
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.worker.heartbeatExpired();
            await().until(() -> !lifecycle.process.pings.isEmpty());
            assertThat(lifecycle.process.accounts).as("each was tried once").hasSize(1 + many);
            assertThat(lifecycle.worker.state().accounts())
                    .hasSize(WorkerState.MAX_ACCOUNTS)
                    .startsWith(Samples.PAPER);
        }
    }

    @Test
    @Tag("A7")
    @DisplayName("A second account that is refused leaves the first alone, and is tried again with new credentials")
    void secondRefusedAccountLeavesFirstAlone() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            await().until(() -> lifecycle.process.accounts.size() == 2);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(lifecycle.worker.state().status().reason()).contains("second", "refused");
            assertThat(lifecycle.process.accounts).hasSize(2);
            lifecycle.worker.reloadCredentials(Samples.SECOND);
            WorkerState opened = lifecycle.awaitState(now -> sessions(now) == 2);
            assertThat(opened.status().reason()).isNull();
        }
    }

    @Test
    @Tag("A2")
    @DisplayName("Why an account has no session stays said when a signal doubts the worker, and when "
            + "it is too busy to stop")
    void reasonStays() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            refuseTheNext(lifecycle);
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(now -> now.status().reason() != null);
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            lifecycle.worker.heartbeatExpired();
            await().until(() -> !lifecycle.process.pings.isEmpty());
            lifecycle.heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.PRESENT;
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).status().reason()).contains("second", "refused");
            lifecycle.process.close.next(CloseOutcome.BUSY);
            lifecycle.worker.idle(1);
            await().until(() -> !lifecycle.process.closed.isEmpty());
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).status().reason()).contains("second", "refused");
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("New credentials reach the running process without a restart, and touch one account only")
    void newCredentialsReachRunningProcess() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(now -> sessions(now) == 2);
            lifecycle.version.incrementAndGet();
            lifecycle.worker.reloadCredentials(Samples.SECOND);
            await().until(() -> lifecycle.process.accounts.size() == 3);
            assertThat(lifecycle.process.accounts).last().isEqualTo(Samples.SECOND);
            assertThat(lifecycle.process.dropped).isEmpty();
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("Credentials that were removed close their session, and no other")
    void removedCredentialsCloseTheirSession() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(now -> sessions(now) == 2);
            lifecycle.sealed.nextFailure(FailureType.ACCOUNT_UNKNOWN.failure("no such account"));
            lifecycle.worker.reloadCredentials(Samples.SECOND);
            WorkerState state = lifecycle.awaitState(now -> sessions(now) == 1);
            await().until(() -> lifecycle.process.dropped.contains(Samples.SECOND));
            assertThat(state.phase()).isEqualTo(WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("New credentials that could not be brought are brought again, though no process asks")
    void reloadThatFails() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.nextFailure(new IllegalStateException("the broker is unavailable"));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.accounts.size() == 2);
            lifecycle.server.skip(WorkerPolicies.FIRST_RETRY.plusSeconds(1));
            await().until(() -> lifecycle.process.accounts.size() == 3);
            assertThat(lifecycle.worker.state().status().reason()).isNull();
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("A session whose credentials were removed is closed, even if its process did not hear it at first")
    void removedFromABusyProcess() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            var removed = FailureType.ACCOUNT_UNKNOWN.failure("no such account");
            lifecycle.sealed.nextFailures(2, removed);
            lifecycle.process.drop.nextFailure(new IllegalStateException("busy"));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.dropped.size() == 1);
            assertThat(sessions(lifecycle.worker.state())).isEqualTo(1);
            lifecycle.server.skip(WorkerPolicies.FIRST_RETRY.plusSeconds(1));
            lifecycle.awaitState(now -> sessions(now) == 0);
            assertThat(lifecycle.process.dropped).containsExactly(Samples.PAPER, Samples.PAPER);
        }
    }

    @Test
    @Tag("A7")
    @DisplayName("An account that is refused at the start does not keep the worker from serving another")
    void refusedFirstAccountBlocksNoOther() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            refuseTheNext(lifecycle);
            lifecycle.ensure();
            WorkerState failed = lifecycle.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).contains("refused");
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            WorkerState active = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(lifecycle.process.accounts).containsExactly(Samples.PAPER, Samples.SECOND);
            assertThat(Objects.requireNonNull(active.status().worker()).sessions())
                    .containsExactly(Samples.SECOND);
            assertThat(active.status().reason()).contains(Samples.PAPER.toString(), "refused");
        }
    }

    private static void refuseTheNext(LifecycleFixture lifecycle) {
        lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
    }

    @Test
    @Tag("A7")
    @DisplayName("A successor opens the sessions that its predecessor had")
    void successorOpensPredecessorsSessions() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(now -> sessions(now) == 2);
            lifecycle.stopped(FakeWorkerTasks.arn(1), "killed");
            lifecycle.awaitState(now -> now.epoch() == 2 && sessions(now) == 2);
            assertThat(lifecycle.process.accounts.subList(2, 4))
                    .containsExactlyInAnyOrder(Samples.PAPER, Samples.SECOND);
        }
    }

    private static int sessions(WorkerState state) {
        return state.status().worker() == null
                ? 0
                : Objects.requireNonNull(state.status().worker()).sessions().size();
    }
}
