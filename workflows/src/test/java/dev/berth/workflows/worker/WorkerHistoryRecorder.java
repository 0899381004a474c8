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
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.process.nobodyHas.add(1L);
            at.active();
            at.worker.taskStopped(FakeWorkerTasks.arn(2), "OutOfMemoryError");
            at.awaitState(now -> now.epoch() == 3 && now.phase() == WorkerPhase.ACTIVE);
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            String history = at.server
                    .client()
                    .fetchHistory(WorkflowIds.worker(Samples.ALICE))
                    .toJson(true);
            Files.writeString(Path.of("src/test/resources/histories/worker.json"), history + "\n");
        }
    }
}
