package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The accounts of a user's worker, beyond the first. */
class SessionsTest {
    @Test
    @DisplayName("A7 a session is opened on the first use of its account, by the process that is there")
    void onFirstUse() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            WorkerState state = at.awaitState(now -> sessions(now) == 2);
            assertThat(state.epoch()).isEqualTo(1);
            assertThat(at.process.accounts).containsExactly(Samples.PAPER, Samples.SECOND);
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            at.ensureAndAwaitLook();
            assertThat(at.process.accounts).hasSize(2);
        }
    }

    @Test
    @DisplayName("A7 a second account that is refused leaves the first alone, and is tried again with new credentials")
    void secondRefused() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.open.nextFailure(
                    ApplicationFailure.newNonRetryableFailure("refused", WorkerControl.CREDENTIALS_REFUSED));
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            await().until(() -> at.process.accounts.size() == 2);
            at.ensureAndAwaitLook();
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(at.worker.state().status().reason()).contains("second", "refused");
            assertThat(at.process.accounts).hasSize(2);
            at.worker.reloadCredentials(Samples.SECOND);
            WorkerState opened = at.awaitState(now -> sessions(now) == 2);
            assertThat(opened.status().reason()).isNull();
        }
    }

    @Test
    @DisplayName(
            "A2 why an account has no session stays said when somebody doubts the worker, and when it is too busy to stop")
    void reasonStays() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            refuseTheNext(at);
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            at.awaitState(now -> now.status().reason() != null);
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.worker.markExpired();
            await().until(() -> !at.process.pings.isEmpty());
            at.marks.mark = WorkerMarks.Mark.KEPT;
            assertThat(at.await(WorkerPhase.ACTIVE).status().reason()).contains("second", "refused");
            at.process.close.next(CloseOutcome.BUSY);
            at.worker.idle(1);
            await().until(() -> !at.process.closed.isEmpty());
            assertThat(at.await(WorkerPhase.ACTIVE).status().reason()).contains("second", "refused");
        }
    }

    @Test
    @DisplayName("A8 new credentials reach the running process without a restart, and touch one account only")
    void reload() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            at.awaitState(now -> sessions(now) == 2);
            at.version.incrementAndGet();
            at.worker.reloadCredentials(Samples.SECOND);
            await().until(() -> at.process.accounts.size() == 3);
            assertThat(at.process.accounts).last().isEqualTo(Samples.SECOND);
            assertThat(at.process.dropped).isEmpty();
            assertThat(at.worker.state().epoch()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1");
        }
    }

    @Test
    @DisplayName("A8 credentials that were removed close their session, and no other")
    void removed() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            at.awaitState(now -> sessions(now) == 2);
            at.sealed.nextFailure(ApplicationFailure.newNonRetryableFailure("no such account", "account-unknown"));
            at.worker.reloadCredentials(Samples.SECOND);
            WorkerState state = at.awaitState(now -> sessions(now) == 1);
            await().until(() -> at.process.dropped.contains(Samples.SECOND));
            assertThat(state.phase()).isEqualTo(WorkerPhase.ACTIVE);
        }
    }

    @Test
    @DisplayName("A8 new credentials that could not be brought are brought again, though nobody asks")
    void reloadThatFails() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.open.nextFailure(new IllegalStateException("the broker is away"));
            at.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> at.process.accounts.size() == 2);
            at.server.skip(WorkerPolicies.FIRST_RETRY.plusSeconds(1));
            await().until(() -> at.process.accounts.size() == 3);
            assertThat(at.worker.state().status().reason()).isNull();
        }
    }

    @Test
    @DisplayName("A8 a session whose credentials were removed is closed, even if its process did not hear it at first")
    void removedFromABusyProcess() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            var removed = ApplicationFailure.newNonRetryableFailure("no such account", "account-unknown");
            at.sealed.nextFailures(2, removed);
            at.process.drop.nextFailure(new IllegalStateException("busy"));
            at.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> at.process.dropped.size() == 1);
            assertThat(sessions(at.worker.state())).isEqualTo(1);
            at.server.skip(WorkerPolicies.FIRST_RETRY.plusSeconds(1));
            at.awaitState(now -> sessions(now) == 0);
            assertThat(at.process.dropped).containsExactly(Samples.PAPER, Samples.PAPER);
        }
    }

    @Test
    @DisplayName("A7 an account that is refused at the start does not keep the worker from serving another")
    void firstRefused() {
        try (WorkerFixture at = new WorkerFixture()) {
            refuseTheNext(at);
            at.ensure();
            WorkerState failed = at.await(WorkerPhase.FAILED);
            assertThat(failed.status().reason()).contains("refused");
            refuseTheNext(at);
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            WorkerState active = at.await(WorkerPhase.ACTIVE);
            assertThat(at.process.accounts).containsExactly(Samples.PAPER, Samples.SECOND, Samples.PAPER);
            assertThat(Objects.requireNonNull(active.status().worker()).sessions())
                    .containsExactly(Samples.PAPER);
            assertThat(active.status().reason()).contains("second", "refused");
        }
    }

    private static void refuseTheNext(WorkerFixture at) {
        at.process.open.nextFailure(
                ApplicationFailure.newNonRetryableFailure("refused", WorkerControl.CREDENTIALS_REFUSED));
    }

    @Test
    @DisplayName("A7 a successor opens the sessions that its predecessor had")
    void successor() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            at.awaitState(now -> sessions(now) == 2);
            at.worker.taskStopped(FakeWorkerTasks.arn(1), "killed");
            at.awaitState(now -> now.epoch() == 2 && sessions(now) == 2);
            assertThat(at.process.accounts.subList(2, 4)).containsExactlyInAnyOrder(Samples.PAPER, Samples.SECOND);
        }
    }

    private static int sessions(WorkerState state) {
        return state.status().worker() == null
                ? 0
                : Objects.requireNonNull(state.status().worker()).sessions().size();
    }
}
