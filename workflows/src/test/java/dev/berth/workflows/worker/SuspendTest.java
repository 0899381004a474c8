package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.enums.v1.EventType;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nobody starts what is suspended. */
class SuspendTest {
    @Test
    @DisplayName("D8 a suspended worker finishes, ends, and is not started by any need until it is resumed")
    void suspendAndResume() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.suspend("margin call");
            WorkerState suspended = at.await(WorkerPhase.SUSPENDED);
            assertThat(suspended.status().reason()).isEqualTo("margin call");
            assertThat(at.process.closed).containsExactly(1L);
            at.ensure();
            at.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            at.worker.suspend("margin call, second notice");
            at.awaitState(
                    now -> "margin call, second notice".equals(now.status().reason()));
            assertThat(at.tasks.launches).hasSize(1);

            at.worker.resume();
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("D8 a user who had no worker is suspended too, and after the resume has none until somebody needs it")
    void suspendWithoutAWorker() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.worker.suspend("not verified");
            at.await(WorkerPhase.SUSPENDED);
            at.worker.resume();
            at.await(WorkerPhase.TERMINATED);
            assertThat(at.happened).isEmpty();
            assertThat(at.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A2 D8 a suspension cuts a start short")
    void suspendWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.open.nextFrom(opening);
            at.ensure();
            await().until(() -> at.process.opened.size() == 1);
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            opening.complete(true);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));
        }
    }

    @Test
    @DisplayName("D8 a suspension that comes while a start waits for PostgreSQL is not forgotten over its answer")
    void suspendWhilePostgresIsSlow() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            CompletableFuture<Boolean> asked = new CompletableFuture<>();
            at.readable.nextFrom(() -> asked.complete(true) && answer.join());
            at.ensure();
            asked.join();
            at.worker.suspend("margin call");
            // The workflow task that waits is kept alive, and with that hears what was said.
            await().until(() -> hasHeard(at, "suspend"));
            answer.complete(true);
            assertThat(at.await(WorkerPhase.SUSPENDED).status().reason()).isEqualTo("margin call");
            assertThat(at.happened).isEmpty();
        }
    }

    private static boolean hasHeard(WorkerFixture at, String signal) {
        return at.server.history(WorkflowIds.worker(Samples.ALICE)).stream()
                .dropWhile(event -> !event.getWorkflowExecutionSignaledEventAttributes()
                        .getSignalName()
                        .equals(signal))
                .anyMatch(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED);
    }

    @Test
    @DisplayName("D8 all can be suspended; an older word about that is passed over")
    void fleet() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.worker.fleetSwitched(new FleetSwitch(2, true, "the venue is closed"));
            assertThat(at.await(WorkerPhase.SUSPENDED).status().reason())
                    .isEqualTo("All workers are suspended: the venue is closed");
            at.worker.fleetSwitched(new FleetSwitch(1, false, "an old word"));
            at.ensure();
            assertThat(at.worker.state().phase()).isEqualTo(WorkerPhase.SUSPENDED);
            at.worker.fleetSwitched(new FleetSwitch(3, false, null));
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("D8 a lifecycle that nobody told that all are resumed finds out when its worker is needed")
    void resumeThatWasMissed() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.worker.fleetSwitched(new FleetSwitch(2, true, "the venue is closed"));
            at.await(WorkerPhase.SUSPENDED);
            at.fleet = new FleetSwitch(3, false, null);
            assertThat(at.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("D8 a lifecycle that begins while all are suspended starts nothing")
    void beginsWhileAllAreSuspended() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.fleet = new FleetSwitch(5, true, "the venue is closed");
            at.ensure();
            at.await(WorkerPhase.SUSPENDED);
            assertThat(at.happened).isEmpty();
            assertThat(at.marks.epoch).hasValue(0);
            at.worker.fleetSwitched(new FleetSwitch(6, false, null));
            at.fleet = new FleetSwitch(6, false, null);
            assertThat(at.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("D8 a suspension does not wait for a broker that takes its time with one more account")
    void whileAnotherAccountIsOpened() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.openAnother(opening);
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            assertThat(at.process.closed).containsExactly(1L);
            opening.complete(true);
        }
    }

    @Test
    @DisplayName("D8 a suspension does not wait for new credentials; they are brought when the worker is back")
    void whileCredentialsAreReloaded() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.process.open.nextFrom(opening);
            at.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> at.process.accounts.size() == 2);
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            opening.complete(true);
            at.worker.resume();
            assertThat(at.active().epoch()).isEqualTo(2);
            assertThat(at.process.opened).containsExactly(1L, 1L, 2L);
        }
    }
}
