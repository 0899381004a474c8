package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What anybody can say to a lifecycle counts only as far as ECS, or the lifecycle's own choice,
 * proves it.
 */
@Tag("X2")
class UnconfirmedReportsTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);
    private static final String OTHER = FakeWorkerTasks.arn(99);

    private static WorkerProcess impostor(long epoch) {
        return new WorkerProcess(epoch, OTHER, "host-9", 9, "forged key");
    }

    @Test
    @DisplayName("A claim is answered by the task that was reserved, and by no other")
    void attachedFromAnotherTaskIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.speaks = false;
            lifecycle.idle.next(true);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CLAIMED);
            lifecycle.worker.attached(impostor(1));
            lifecycle.worker.attached(FakeWorkerControl.process(1));
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(1));
            assertThat(state.epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A process of another task that announces itself for the next epoch is not taken for its worker")
    void attachedForFutureEpochIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.attached(impostor(2));
            lifecycle.stopped(FIRST, "OutOfMemoryError");
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(2));
        }
    }

    @Test
    @DisplayName("A claim that another task answers when it is asked is void")
    void answerOfAnotherTaskIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.speaks = false;
            lifecycle.process.impostor = impostor(1);
            lifecycle.idle.next(true);
            lifecycle.ensure();
            await().until(() -> {
                lifecycle.server.skip(Duration.ofMillis(500));
                return !lifecycle.process.attaches.isEmpty();
            });
            lifecycle.process.impostor = null;
            lifecycle.process.speaks = true;
            WorkerState state = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(state.epoch()).isEqualTo(2);
            assertThat(state.process()).isEqualTo(FakeWorkerControl.process(2));
        }
    }

    @Test
    @DisplayName("An event that a task stopped counts for nothing while ECS says that it runs")
    void forgedStopIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.taskStopped(FIRST, "forged");
            await().until(() -> lifecycle.tasks.looks.contains(FIRST));
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.ACTIVE);
            assertThat(lifecycle.worker.state().deaths()).isZero();
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("STOPPED without proof is no death: the lease is waited out, and the task stays unproven")
    void forcedDeregistrationIsNoProof() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState first = lifecycle.active();
            lifecycle.tasks.deaths.put(FIRST, TaskDeath.UNCONFIRMED);
            lifecycle.tasks.stopped.nextFailure(FailureType.STOPPED_WITHOUT_PROOF.failure("STOPPED"));
            lifecycle.worker.taskStopped(FIRST, "Container instance deregistration forced by user");
            await().until(() -> lifecycle.tasks.stops.contains(FIRST));
            assertThat(lifecycle.tasks.launches).hasSize(1);
            lifecycle.server.skip(WorkerHeartbeats.LEASE_OVER.plusSeconds(1));
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(Duration.between(first.status().since(), state.status().since()))
                    .isGreaterThanOrEqualTo(WorkerHeartbeats.LEASE_OVER);
            assertThat(state.unconfirmedStops()).containsExactly(new WorkerState.UnconfirmedStop(1, FIRST, true));
        }
    }

    @Test
    @Tag("A13")
    @DisplayName("A heartbeat that expired proves that the lease is over: its successor waits for nothing more")
    void leaseIsCountedFromLastRenewal() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState first = lifecycle.active();
            lifecycle.heartbeats.leaseLeft = Duration.ZERO;
            lifecycle.tasks.stopped.nextFailures(1_000, new IllegalStateException("the host is gone"));
            lifecycle.freeze();
            lifecycle.server.skip(WorkerPolicies.STOP_PROOF.plusMillis(500));
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(Duration.between(first.status().since(), state.status().since()))
                    .isLessThan(Duration.ofSeconds(10));
            assertThat(state.unconfirmedStops()).containsExactly(new WorkerState.UnconfirmedStop(1, FIRST));
        }
    }

    @Test
    @DisplayName("A lifecycle under another user's id fails at once")
    void idAndArgumentsAgree() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerLifecycleWorkflow foreign =
                    lifecycle.server.workflow(WorkerLifecycleWorkflow.class, "worker:mallory", TaskQueues.FLEET);
            assertThatThrownBy(() -> foreign.run(WorkerState.none(Samples.ALICE)))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasRootCauseMessage("message='The workflow worker:mallory was started with arguments of"
                            + " worker:alice. Start it under that id.', type='wrong-workflow-id', nonRetryable=true");
            assertThat(lifecycle.happened).isEmpty();
        }
    }
}
