package dev.berth.workflows.worker;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the worker that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class WorkerHistoryRecorder {
    @Test
    void record() throws IOException {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.active();
            lifecycle.stopped(FakeWorkerTasks.arn(2), "OutOfMemoryError");
            lifecycle.awaitState(now -> now.epoch() == 3 && now.phase() == WorkerPhase.ACTIVE);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            lifecycle.server.record(WorkflowIds.worker(Samples.ALICE), "worker");
        }
    }
}
