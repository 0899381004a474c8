package dev.berth.workflows.worker;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            write(lifecycle, "worker");
        }
    }

    private static void write(LifecycleFixture lifecycle, String name) throws IOException {
        String history = lifecycle
                .server
                .client()
                .fetchHistory(WorkflowIds.worker(Samples.ALICE))
                .toJson(true);
        Files.writeString(Path.of("src/test/resources/histories/" + name + ".json"), history + "\n");
    }
}
