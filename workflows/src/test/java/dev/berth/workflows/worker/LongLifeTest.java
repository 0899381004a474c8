package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lifecycle outlives every bound on the length of a history. */
class LongLifeTest {
    private static final String ID = WorkflowIds.worker(Samples.ALICE);

    @Test
    @DisplayName("X12 after 2,000 signals a lifecycle goes on in a new run and loses nothing")
    void continuesAsNew() {
        try (WorkerFixture at = new WorkerFixture()) {
            WorkerState before = at.active();
            String firstRun = runId(at);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            newRun(at, firstRun);
            assertThat(at.worker.state()).isEqualTo(before);

            at.worker.taskStopped(FakeWorkerTasks.arn(1), "killed");
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("D8 a new run reads for itself whether all are suspended, in case its predecessor was told")
    void suspendedMeanwhile() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            String firstRun = runId(at);
            at.fleet = new FleetSwitch(2, true, "the venue is closed");
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            newRun(at, firstRun);
            at.await(WorkerPhase.SUSPENDED);
        }
    }

    @Test
    @DisplayName("B3 signals that come in while a run gives way to the next are all heard")
    void signalsInFlight() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            String firstRun = runId(at);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN - 3; i++) {
                at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            at.worker.reloadCredentials(Samples.PAPER);
            at.ensure();
            at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            at.worker.stop("logged out");
            at.worker.suspend("margin call");
            newRun(at, firstRun);
            WorkerState state = at.await(WorkerPhase.SUSPENDED);
            assertThat(state.desired().reason()).isEqualTo("logged out");
            at.worker.resume();
            at.await(WorkerPhase.TERMINATED);
        }
    }

    @Test
    @DisplayName(
            "A8 new credentials that come with the last signal of a run start the worker that the old ones could not")
    void newCredentialsAtTheEnd() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFailure(
                    ApplicationFailure.newNonRetryableFailure("refused", WorkerControl.CREDENTIALS_REFUSED));
            at.ensure();
            at.await(WorkerPhase.FAILED);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN - 1; i++) {
                at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            at.worker.reloadCredentials(Samples.PAPER);
            await().atMost(Duration.ofSeconds(25)).until(() -> at.process.opened.size() >= 2);
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("A2 a year of starts, deaths and idle stops stays under 4,096 events a run")
    void aYear() {
        try (WorkerFixture at = WorkerFixture.withoutPool()) {
            String firstRun = runId(at);
            long epoch = 0;
            for (int day = 0; day < 366; day += 3) {
                until(at::ensure, at.process.opened, ++epoch);
                if (day % 30 == 0) {
                    String dead = FakeWorkerTasks.arn(epoch);
                    until(() -> at.worker.taskStopped(dead, "killed"), at.process.opened, ++epoch);
                }
                long idle = epoch;
                until(() -> at.worker.idle(idle), at.happened, "stop " + FakeWorkerTasks.arn(idle));
                at.server.skip(Duration.ofDays(3));
            }
            assertThat(at.server.now()).isAfter(InMemoryServer.OPEN.plus(Duration.ofDays(365)));
            assertThat(at.tasks.launches).hasSize(Math.toIntExact(epoch));
            assertThat(runId(at)).as("it went on in a new run").isNotEqualTo(firstRun);
            assertThat(at.server.history(ID, firstRun)).hasSizeBetween(WorkerPolicies.EVENTS_PER_RUN, 4_095);
        }
    }

    /** Past the first task of the new run: the in-memory server never answers a query that comes while it is under way. */
    private static void newRun(WorkerFixture at, String before) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !runId(at).equals(before)
                        && at.server.history(ID).stream()
                                .anyMatch(HistoryEvent::hasWorkflowTaskCompletedEventAttributes));
    }

    /**
     * The in-memory server may lose or refuse a signal that meets the end of a run, as the real one never does: it is
     * repeated.
     */
    private static <T> void until(Runnable said, Collection<T> heard, T effect) {
        AtomicLong lastSaid = new AtomicLong(Long.MIN_VALUE);
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
    }

    private static String runId(WorkerFixture at) {
        return at.server
                .client()
                .newUntypedWorkflowStub(ID)
                .describe()
                .getExecution()
                .getRunId();
    }
}
