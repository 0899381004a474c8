package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lifecycle outlives every bound on the length of a history. */
class LongLifeTest {
    private static final String ID = WorkflowIds.worker(Samples.ALICE);

    @Test
    @Tag("X12")
    @DisplayName("After 2,000 signals a lifecycle goes on in a new run and loses nothing")
    void continuesAsNew() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            WorkerState before = lifecycle.active();
            String firstRun = runId(lifecycle);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            newRun(lifecycle, firstRun);
            WorkerState after = lifecycle.worker.state();
            assertThat(after.withRequests(before.requests()).withTasks(before.tasks()))
                    .isEqualTo(before);
            assertThat(after.tasks().reported()).hasSize(1);

            lifecycle.stopped(FakeWorkerTasks.arn(1), "killed");
            WorkerState state = lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
        }
    }

    @Test
    @Tag("X12")
    @Tag("A9")
    @DisplayName("A lifecycle that a person canceled does not end while a worker may live that it could not stop")
    void canceledLifecycleWaitsForStop() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            CompletableFuture<Boolean> stopping = new CompletableFuture<>();
            lifecycle.tasks.stopped.nextFrom(stopping);
            lifecycle.server.client().newUntypedWorkflowStub(ID).cancel();
            lifecycle.await(WorkerPhase.TERMINATED);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            assertThat(lifecycle.worker.state().unconfirmedStops()).hasSize(1);
            assertThat(isRunning(lifecycle)).isTrue();
            stopping.complete(true);
            await().until(() -> !isRunning(lifecycle));
        }
    }

    private static boolean isRunning(LifecycleFixture lifecycle) {
        return lifecycle.server.client().newUntypedWorkflowStub(ID).describe().getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    }

    @Test
    @Tag("D8")
    @DisplayName("A new run reads for itself whether all are suspended, in case its predecessor was told")
    void newRunReadsFleetSwitch() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            String firstRun = runId(lifecycle);
            lifecycle.fleet = new FleetSwitch(2, true, "the venue is closed");
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            newRun(lifecycle, firstRun);
            lifecycle.await(WorkerPhase.SUSPENDED);
        }
    }

    @Test
    @Tag("B3")
    @DisplayName("Signals that come in while a run gives way to the next are all heard")
    void signalsInFlight() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            String firstRun = runId(lifecycle);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN - 3; i++) {
                lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            lifecycle.ensure();
            lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            lifecycle.worker.stop("logged out");
            lifecycle.worker.suspend("margin call");
            newRun(lifecycle, firstRun);
            WorkerState state = lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(state.desired().reason()).isEqualTo("logged out");
            lifecycle.worker.resume();
            lifecycle.await(WorkerPhase.TERMINATED);
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("New credentials that come with the last signal of a run start the worker that the old ones could not")
    void newCredentialsAtTheEnd() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("refused"));
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.FAILED);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN - 1; i++) {
                lifecycle.stopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().atMost(Duration.ofSeconds(25)).until(() -> lifecycle.process.opened.size() >= 2);
        }
    }

    @Test
    @Timeout(300)
    @Tag("A2")
    @DisplayName("A year of starts, deaths and idle stops stays under 4,096 events a run")
    void yearStaysUnderEventLimit() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            String firstRun = runId(lifecycle);
            long epoch = 0;
            for (int day = 0; day < 366; day += 3) {
                until(lifecycle, lifecycle::ensure, lifecycle.process.opened, ++epoch);
                settled(lifecycle, WorkerPhase.ACTIVE);
                if (day % 30 == 0) {
                    String dead = FakeWorkerTasks.arn(epoch);
                    until(lifecycle, () -> lifecycle.stopped(dead, "killed"), lifecycle.process.opened, ++epoch);
                    settled(lifecycle, WorkerPhase.ACTIVE);
                }
                long idle = epoch;
                until(
                        lifecycle,
                        () -> lifecycle.worker.idle(idle),
                        lifecycle.happened,
                        "stop " + FakeWorkerTasks.arn(idle));
                settled(lifecycle, WorkerPhase.TERMINATED);
                lifecycle.server.skip(Duration.ofDays(3));
            }
            assertThat(lifecycle.server.now()).isAfter(InMemoryServer.OPEN.plus(Duration.ofDays(365)));
            assertThat(lifecycle.tasks.launches).hasSize(Math.toIntExact(epoch));
            assertThat(runId(lifecycle)).as("it went on in a new run").isNotEqualTo(firstRun);
            assertThat(lifecycle.server.history(ID, firstRun)).hasSizeBetween(WorkerPolicies.EVENTS_PER_RUN, 4_095);
        }
    }

    /**
     * Past the first task of the new run: the in-memory server never answers a query that comes
     * while it is under way.
     */
    private static void newRun(LifecycleFixture lifecycle, String before) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !runId(lifecycle).equals(before)
                        && lifecycle.server.history(ID).stream()
                                .anyMatch(HistoryEvent::hasWorkflowTaskCompletedEventAttributes));
    }

    /**
     * The in-memory server may lose or refuse a signal that meets the end of a run, as the real one
     * never does: it is repeated.
     */
    private static <T> void until(LifecycleFixture lifecycle, Runnable said, Collection<T> heard, T effect) {
        AtomicLong lastSaid = new AtomicLong(Long.MIN_VALUE);
        try {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .ignoreException(WorkflowNotFoundException.class)
                    .until(() -> {
                        long now = System.currentTimeMillis();
                        if (now - 2_000 > lastSaid.get() && !heard.contains(effect)) {
                            said.run();
                            lastSaid.set(now);
                        }
                        return heard.contains(effect);
                    });
        } catch (ConditionTimeoutException stuck) {
            throw new AssertionError("stuck; its last run: " + lifecycle.server.history(ID), stuck);
        }
    }

    /**
     * Past the last answer of its process: the in-memory server loses a workflow task that cancels
     * an activity which has just completed, as the real one never does.
     */
    private static void settled(LifecycleFixture lifecycle, WorkerPhase phase) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> phase.name()
                        .equals(InMemoryServer.indexed(lifecycle.worker, BerthSearchAttributes.WORKER_STATE)));
    }

    private static String runId(LifecycleFixture lifecycle) {
        return lifecycle
                .server
                .client()
                .newUntypedWorkflowStub(ID)
                .describe()
                .getExecution()
                .getRunId();
    }
}
