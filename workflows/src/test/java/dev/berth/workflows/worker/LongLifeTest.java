package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
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
            await().until(() -> !runId(at).equals(firstRun));
            assertThat(at.worker.state()).isEqualTo(before);

            at.worker.taskStopped(FakeWorkerTasks.arn(1), "killed");
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
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
            WorkerState state = at.await(WorkerPhase.SUSPENDED);
            assertThat(state.desired().reason()).isEqualTo("logged out");
            await().until(() -> !runId(at).equals(firstRun));
            at.worker.resume();
            at.await(WorkerPhase.TERMINATED);
        }
    }

    /** The in-memory server may lose a signal that meets the end of a run; the real one never does. So it is repeated. */
    @Test
    @Timeout(180)
    @DisplayName("A2 a year of starts, deaths and idle stops stays under 4,096 events a run")
    void aYear() {
        try (WorkerFixture at = new WorkerFixture()) {
            Set<String> runs = new HashSet<>();
            long epoch = 0;
            int longest = 0;
            for (int day = 0; day < 365; day += 3) {
                until(at::ensure, at.process.opened, ++epoch);
                if (day % 21 == 0) {
                    String dead = FakeWorkerTasks.arn(epoch);
                    until(() -> at.worker.taskStopped(dead, "killed"), at.process.opened, ++epoch);
                }
                long idle = epoch;
                until(() -> at.worker.idle(idle), at.happened, "stop " + FakeWorkerTasks.arn(idle));
                if (day % 30 == 0) {
                    longest = Math.max(longest, at.server.history(ID).size());
                    runs.add(runId(at));
                }
                at.server.skip(Duration.ofDays(3));
            }
            assertThat(at.server.now()).isAfter(InMemoryServer.OPEN.plus(Duration.ofDays(364)));
            assertThat(longest).isBetween(1_000, 4_096);
            assertThat(runs).as("it went on in new runs").hasSizeGreaterThan(1);
            assertThat(at.tasks.launches).hasSize(Math.toIntExact(epoch));
        }
    }

    private static <T> void until(Runnable said, Collection<T> heard, T effect) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50)).until(() -> {
            if (!heard.contains(effect)) {
                said.run();
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
