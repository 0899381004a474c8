package dev.berth.workflows.worker;

import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
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
            write(at, "worker");
        }
    }

    @Test
    void recordDoubted() throws IOException {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.marks.mark = WorkerMarks.Mark.GONE;
            at.worker.markExpired();
            await().until(() -> !at.process.pings.isEmpty());
            at.server.skip(WorkerPolicies.UNMARKED.plusSeconds(1));
            at.worker.markExpired();
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            at.marks.mark = WorkerMarks.Mark.KEPT;
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            at.worker.seen(9, FakeWorkerTasks.arn(9));
            await().until(() -> at.tasks.stops.contains(FakeWorkerTasks.arn(9)));
            at.active();
            write(at, "worker-doubted");
        }
    }

    @Test
    void recordIdle() throws IOException {
        try (WorkerFixture at = WorkerFixture.withoutPool()) {
            at.active();
            at.worker.idle(1);
            at.await(WorkerPhase.TERMINATED);
            at.active();
            at.worker.suspend("margin call");
            at.await(WorkerPhase.SUSPENDED);
            write(at, "worker-idle");
        }
    }

    @Test
    void recordAttached() throws IOException {
        try (WorkerFixture at = new WorkerFixture()) {
            at.idle.next(true);
            at.active();
            at.process.nobodyHas.add(2L);
            at.worker.taskStopped(FakeWorkerTasks.arn(1), "OutOfMemoryError");
            at.awaitSilentLaunch();
            at.worker.attached(FakeWorkerControl.process(2));
            at.await(WorkerPhase.ACTIVE);
            at.process.nobodyHas.add(3L);
            at.process.attaches.clear();
            at.process.open.nextFailure(FakeWorkerControl.wrongEpoch());
            at.worker.taskStopped(FakeWorkerTasks.arn(2), "OutOfMemoryError");
            at.awaitSilentLaunch();
            at.worker.stop("logged out");
            at.await(WorkerPhase.TERMINATED);
            at.active();
            write(at, "worker-attached");
        }
    }

    @Test
    void recordSilent() throws IOException {
        CompletableFuture<Boolean> silence = new CompletableFuture<>();
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.ping.nextFrom(() -> silence.join());
            at.fallSilentWhileConnecting(silence);
            at.await(WorkerPhase.ACTIVE);
            silence.complete(true);
            write(at, "worker-silent");
        }
    }

    @Test
    void recordDeadWhileAsked() throws IOException {
        try (WorkerFixture at = new WorkerFixture()) {
            at.active();
            at.diesWhileAsked();
            at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            write(at, "worker-dead-while-asked");
        }
    }

    private static void write(WorkerFixture at, String name) throws IOException {
        String history = at.server
                .client()
                .fetchHistory(WorkflowIds.worker(Samples.ALICE))
                .toJson(true);
        Files.writeString(Path.of("src/test/resources/histories/" + name + ".json"), history + "\n");
    }
}
