package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Without a workflow cache every workflow task replays the history: what is not deterministic
 * fails.
 */
class ReplayedLifecycleTest {
    @Test
    @Tag("X12")
    @DisplayName("A worker's whole life replays at every workflow task")
    void wholeLife() {
        try (LifecycleFixture lifecycle = LifecycleFixture.replaying()) {
            lifecycle.idle.next(true);
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.Active active
                    && active.worker().sessions().size() == 2);
            lifecycle.stopped(FakeWorkerTasks.arn(1), "OutOfMemoryError");
            lifecycle.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.freeze();
            lifecycle.awaitState(now -> now.epoch() == 3 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.worker.resume();
            lifecycle.awaitState(now -> now.epoch() == 4 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.worker.stop("logged out");
            // The in-memory server may lose a task that no cache holds; then its timeout decides.
            lifecycle.awaitEnd(Duration.ofMinutes(2), WorkerPhase.TERMINATED);
            assertThat(lifecycle.server.history(WorkflowIds.worker(Samples.ALICE)))
                    .noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes);
        }
    }
}
