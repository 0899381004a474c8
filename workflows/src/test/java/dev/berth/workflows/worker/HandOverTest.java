package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker is replaced by one that is ready before it. */
@Tag("X22")
class HandOverTest {
    private static final String OLD = FakeWorkerTasks.arn(1);
    private static final String REASON = "its host drains";

    @Test
    @DisplayName("The successor is launched and reserved first, then the worker closes, and the successor is claimed")
    void successorIsReadyFirst() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.handOver(OLD, REASON);
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            await().until(() -> lifecycle.tasks.stops.contains(OLD));
            assertThat(lifecycle.happened)
                    .containsSubsequence("run 1", "launch", "reserve 2", "send 2 to 2")
                    .contains("stop " + OLD)
                    .doesNotContain("run 2");
            assertThat(lifecycle.process.closed).containsExactly(1L);
            assertThat(lifecycle.heartbeats.epoch).hasValue(2);
            assertThat(state.deaths()).isZero();
            assertThat(state.handOver()).isNull();
        }
    }

    @Test
    @DisplayName("A worker that sends an order is asked again, and serves meanwhile")
    void busyWorkerIsAskedAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.next(CloseOutcome.BUSY);
            lifecycle.worker.handOver(OLD, REASON);
            lifecycle.awaitState(
                    now -> now.status() instanceof WorkerStatus.Active && lifecycle.process.closed.size() == 1);
            lifecycle.server.skip(HandOverPolicies.QUIET_CHECK);
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.process.closed).containsExactly(1L, 1L);
        }
    }

    @Test
    @DisplayName("Without room for a successor the worker goes on, until the request is over")
    void workerStaysWithoutRoom() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.active();
            lifecycle.successors.usual(Optional::empty);
            lifecycle.worker.handOver(OLD, REASON);
            await().until(() -> lifecycle.happened.contains("no room"));
            lifecycle.server.skip(HandOverPolicies.REQUEST.plusSeconds(30));
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            assertThat(lifecycle.happened).filteredOn("no room"::equals).hasSizeLessThanOrEqualTo(7);
            assertThat(lifecycle.process.closed).isEmpty();
        }
    }

    @Test
    @DisplayName("A stop that comes while the worker closes counts: no successor is claimed")
    void stopDuringCloseClaimsNoSuccessor() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFrom(() -> {
                lifecycle.worker.stop("logged out");
                return CloseOutcome.CLOSED;
            });
            lifecycle.worker.handOver(OLD, REASON);
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).status().reason())
                    .isEqualTo("logged out");
            assertThat(lifecycle.happened).noneMatch(what -> what.startsWith("send"));
        }
    }

    @Test
    @DisplayName(
            "A proof that the worker stopped, which comes while the claim is sent, does not count for the successor")
    void stopIsProvenWhileClaimIsSent() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withShortTasks()) {
            lifecycle.active();
            AtomicInteger triesSince = new AtomicInteger();
            lifecycle.sent.usual(() -> {
                if (!lifecycle.tasks.deaths.containsKey(OLD)) {
                    lifecycle.stopped(OLD, "its host drained");
                }
                if (!lifecycle.tasks.looks.contains(OLD) || triesSince.incrementAndGet() < 3) {
                    throw new IllegalStateException("Redis is unavailable");
                }
                return true;
            });
            lifecycle.worker.handOver(OLD, REASON);
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(lifecycle.tasks.looks).contains(OLD);
            assertThat(state.deaths()).isZero();
            assertThat(state.health().death()).isNull();
            assertThat(state.unconfirmedStops()).isEmpty();
            lifecycle.server.replay(WorkflowIds.worker(Samples.ALICE), WorkerLifecycleWorkflowImpl.class);
        }
    }

    @Test
    @DisplayName("A request for another task is ignored")
    void requestForAnotherTaskIsIgnored() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.handOver(FakeWorkerTasks.arn(7), REASON);
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }
}
