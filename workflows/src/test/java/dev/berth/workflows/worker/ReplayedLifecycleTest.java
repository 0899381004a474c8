package dev.berth.workflows.worker;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The history is replayed at its end: what is not deterministic fails. */
class ReplayedLifecycleTest {
    @Test
    @Tag("X12")
    @DisplayName("A worker's whole life can be replayed")
    void wholeLifeReplays() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.active();
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            lifecycle.awaitState(ReplayedLifecycleTest::hasBothSessions);
            lifecycle.stopped(FakeWorkerTasks.arn(1), "OutOfMemoryError");
            lifecycle.awaitState(now -> now.epoch() == 2 && hasBothSessions(now));
            lifecycle.freeze();
            // The in-memory server may lose the task that cuts the opening of the second session.
            lifecycle.awaitState(now -> now.epoch() == 3 && hasBothSessions(now));
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            lifecycle.worker.resume();
            lifecycle.awaitState(now -> now.epoch() == 4 && hasBothSessions(now));
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.server.replay(WorkflowIds.worker(Samples.ALICE), WorkerLifecycleWorkflowImpl.class);
        }
    }

    private static boolean hasBothSessions(WorkerState worker) {
        return worker.status() instanceof WorkerStatus.Active active
                && active.worker().sessions().size() == 2;
    }
}
