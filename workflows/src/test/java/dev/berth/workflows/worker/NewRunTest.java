package dev.berth.workflows.worker;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;
import static dev.berth.workflows.Samples.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Json;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import dev.berth.workflows.worker.WorkerState.Requests;
import dev.berth.workflows.worker.WorkerState.StartAttempts;
import dev.berth.workflows.worker.WorkerState.TaskEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A new run of the workflow knows all that the run before knew. */
class NewRunTest {
    private static final Instant OPEN = InMemoryServer.OPEN;
    private static final String FIRST = FakeWorkerTasks.arn(1);

    private static WorkerState in(WorkerStatus status) {
        return WorkerState.none(ALICE)
                .withDesired(DesiredState.NOTHING.needed())
                .withStatus(status)
                .withEpoch(1)
                .withRaised(1)
                .withAccounts(List.of(PAPER))
                .withRequestedAt(OPEN);
    }

    private static WorkerStatus.Active active() {
        LiveWorker worker = new LiveWorker(FakeWorkerControl.process(1), LiveWorker.Origin.COLD, List.of(PAPER));
        return new WorkerStatus.Active(OPEN, worker);
    }

    @Test
    @Tag("X12")
    @DisplayName("Everything that is remembered survives the way through JSON")
    void stateSurvivesJson() {
        WorkerState state = in(active())
                .withRequests(Requests.NONE.need().forceStart().withIdleEpoch(3).withStopRequested(true))
                .withTasks(TaskEvents.NONE
                        .addStopped(FIRST)
                        .addReported("task/2", "killed")
                        .addAttached(FakeWorkerControl.process(4)))
                .withStarts(StartAttempts.NONE.failed().withCrashPauses(2).withRequestedAt(OPEN))
                .withSessions(SessionAttempts.NONE
                        .refused(PAPER, "wrong key", OPEN)
                        .retryAt(SECOND, OPEN)
                        .newCredentials(SECOND, OPEN)
                        .withFailedConnects(2))
                .withHealth(
                        HealthRecord.NONE.missHeartbeat().withSilentSince(OPEN).withCheckAt(OPEN))
                .withNotice(new WorkerState.Notice(WorkerAvailability.SERVED, OPEN))
                .withAttentionShown(true);
        assertThat(Json.read(Json.write(state), WorkerState.class)).isEqualTo(state);
    }

    @Test
    @Tag("X12")
    @DisplayName("The state of a user without a worker stays small")
    void emptyStateStaysSmall() {
        assertThat(Json.write(WorkerState.none(ALICE)))
                .endsWith(",\"requests\":{},\"tasks\":{},\"starts\":{},\"sessions\":{},\"health\":{}}");
    }

    @Test
    @Tag("X12")
    @DisplayName("A health doubt of the previous run is checked")
    void healthDoubtIsChecked() {
        WorkerState state = in(active()).withHealth(HealthRecord.NONE.missHeartbeat());
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(state)) {
            lifecycle.heartbeats.key = HeartbeatKeyState.ABSENT;
            await().until(() -> !lifecycle.process.pings.isEmpty());
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("A death that the previous run learned of is followed by the next worker")
    void deathIsFollowedByNextWorker() {
        WorkerState state = in(active())
                .withHealth(HealthRecord.NONE.withDeath("killed"))
                .withTasks(TaskEvents.NONE.addStopped(FIRST));
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(state)) {
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.happened).containsExactly("run 2");
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("New credentials of the previous run are brought, a held account stays held")
    void newCredentialsAndRefusalsCarryOver() {
        WorkerState state = in(active())
                .withSessions(SessionAttempts.NONE.newCredentials(PAPER, OPEN).refused(SECOND, "wrong key", OPEN))
                .needing(SECOND);
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(state)) {
            await().until(() -> lifecycle.process.accounts.size() == 1);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.process.accounts).containsExactly(PAPER);
            assertThat(lifecycle.worker.state().sessions().refusals(OPEN)).containsOnlyKeys(SECOND);
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("A failed launch of the previous run lengthens the next pause")
    void failedLaunchLengthensNextPause() {
        WorkerStatus backingOff = new WorkerStatus.BackingOff(OPEN, OPEN, "the image is broken");
        WorkerState before =
                in(backingOff).withStarts(StartAttempts.NONE.failed().failed().failed());
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(before)) {
            lifecycle.tasks.runs.nextFailure(FailureType.LAUNCH_CIRCUIT_OPEN.failure("open"));
            WorkerState state =
                    lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.BackingOff && now.raised() == 2);
            WorkerStatus.BackingOff next = (WorkerStatus.BackingOff) state.status();
            assertThat(Duration.between(next.since(), next.deadline())).isEqualTo(WorkerPolicies.launchPause(4));
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("A forced start, and a stop reported before its task was known, are not lost")
    void requestsAreNotLost() {
        WorkerStatus failed = new WorkerStatus.Failed(OPEN, "refused", null);
        WorkerState before = in(failed)
                .withRequests(Requests.NONE.forceStart())
                .withTasks(TaskEvents.NONE.addReported(FakeWorkerTasks.arn(2), "OutOfMemoryError"));
        try (LifecycleFixture lifecycle = LifecycleFixture.inNewRun(before)) {
            lifecycle.tasks.deaths.put(FakeWorkerTasks.arn(2), TaskDeath.PROVEN);
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(lifecycle.tasks.looks).contains(FakeWorkerTasks.arn(2));
            assertThat(Objects.requireNonNull(state.process()).epoch()).isGreaterThan(2);
        }
    }
}
