package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.enums.v1.EventType;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No process starts what is suspended. */
class SuspendTest {
    @Test
    @Tag("D8")
    @DisplayName("A suspended worker finishes, ends, and is not started by any need until it is resumed")
    void suspendAndResume() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.suspend("margin call");
            WorkerState suspended = lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(suspended.status().reason()).isEqualTo("margin call");
            assertThat(lifecycle.process.closed).containsExactly(1L);
            lifecycle.ensure();
            lifecycle.worker.ensure(new WorkerNeed(Samples.PAPER, WorkerNeed.Why.REQUEST));
            lifecycle.worker.suspend("margin call, second notice");
            lifecycle.awaitState(
                    now -> "margin call, second notice".equals(now.status().reason()));
            assertThat(lifecycle.tasks.launches).hasSize(1);

            lifecycle.worker.resume();
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A user who had no worker is suspended too, and after the resume has none until an order needs it")
    void suspendWithoutAWorker() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.suspend("not verified");
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.worker.resume();
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.happened).isEmpty();
            assertThat(lifecycle.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("A2")
    @Tag("D8")
    @DisplayName("A suspension cuts a start short")
    void suspendWhileConnecting() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFrom(opening);
            lifecycle.ensure();
            await().until(() -> lifecycle.process.opened.size() == 1);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            opening.complete(true);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1));
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A suspension that comes while a start waits for PostgreSQL is not forgotten over its answer")
    void suspendWhilePostgresIsSlow() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            CompletableFuture<Boolean> asked = new CompletableFuture<>();
            lifecycle.readable.nextFrom(() -> asked.complete(true) && answer.join());
            lifecycle.ensure();
            asked.join();
            lifecycle.worker.suspend("margin call");
            // The workflow task that waits is kept alive, and with that hears what was said.
            await().until(() -> hasHeard(lifecycle, "suspend"));
            answer.complete(true);
            assertThat(lifecycle.await(WorkerPhase.SUSPENDED).status().reason()).isEqualTo("margin call");
            assertThat(lifecycle.happened).isEmpty();
        }
    }

    private static boolean hasHeard(LifecycleFixture lifecycle, String signal) {
        return lifecycle.server.history(WorkflowIds.worker(Samples.ALICE)).stream()
                .dropWhile(event -> !event.getWorkflowExecutionSignaledEventAttributes()
                        .getSignalName()
                        .equals(signal))
                .anyMatch(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED);
    }

    @Test
    @Tag("D8")
    @DisplayName("All can be suspended; an older word about that is passed over")
    void allWorkersCanBeSuspended() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.fleet = new FleetSwitch(2, true, "the venue is closed");
            lifecycle.worker.fleetSwitched(lifecycle.fleet);
            assertThat(lifecycle.await(WorkerPhase.SUSPENDED).status().reason())
                    .isEqualTo("All workers are suspended: the venue is closed");
            lifecycle.worker.fleetSwitched(new FleetSwitch(1, false, "an old word"));
            lifecycle.ensure();
            assertThat(lifecycle.worker.state().phase()).isEqualTo(WorkerPhase.SUSPENDED);
            lifecycle.fleet = new FleetSwitch(3, false, null);
            lifecycle.worker.fleetSwitched(lifecycle.fleet);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    @Test
    @Tag("D8")
    @Tag("X12")
    @DisplayName("A switch with an untrue version, as a person may type it, holds until the stored one is read")
    void switchByHand() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.fleet = new FleetSwitch(2, false, null);
            lifecycle.active();
            lifecycle.worker.fleetSwitched(new FleetSwitch(1L << 52, true, "by hand"));
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.ACTIVE);
            lifecycle.worker.fleetSwitched(new FleetSwitch(3, true, "the venue is closed"));
            lifecycle.await(WorkerPhase.SUSPENDED);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A lifecycle that no process told that all are resumed finds out when its worker is needed")
    void resumeThatWasMissed() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.worker.fleetSwitched(new FleetSwitch(2, true, "the venue is closed"));
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.fleet = new FleetSwitch(3, false, null);
            assertThat(lifecycle.active().epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A lifecycle that begins while all are suspended starts nothing")
    void beginsWhileAllAreSuspended() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.fleet = new FleetSwitch(5, true, "the venue is closed");
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(lifecycle.happened).isEmpty();
            assertThat(lifecycle.heartbeats.epoch).hasValue(0);
            lifecycle.worker.fleetSwitched(new FleetSwitch(6, false, null));
            lifecycle.fleet = new FleetSwitch(6, false, null);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A suspension does not wait for a broker that takes its time with one more account")
    void whileAnotherAccountIsOpened() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.openAnother(opening);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(lifecycle.process.closed).containsExactly(1L);
            opening.complete(true);
        }
    }

    @Test
    @Tag("D8")
    @DisplayName("A suspension does not wait for new credentials; they are brought when the worker is back")
    void whileCredentialsAreReloaded() {
        CompletableFuture<Boolean> opening = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.open.nextFrom(opening);
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.accounts.size() == 2);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            opening.complete(true);
            lifecycle.worker.resume();
            assertThat(lifecycle.active().epoch()).isEqualTo(2);
            assertThat(lifecycle.process.opened).containsExactly(1L, 1L, 2L);
        }
    }
}
