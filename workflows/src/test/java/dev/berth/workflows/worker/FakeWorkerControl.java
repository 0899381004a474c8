package dev.berth.workflows.worker;

import dev.berth.workflows.Answers;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker process that answers for every epoch unless told otherwise. */
final class FakeWorkerControl implements WorkerControl {
    final List<Long> attaches = new CopyOnWriteArrayList<>();
    final List<Long> opened = new CopyOnWriteArrayList<>();
    final List<Long> closed = new CopyOnWriteArrayList<>();
    final List<Long> pings = new CopyOnWriteArrayList<>();
    final Answers<Boolean> attach = new Answers<>(true);
    final Answers<Boolean> open = new Answers<>(true);
    final Answers<Boolean> close = new Answers<>(true);
    final Answers<Boolean> ping = new Answers<>(true);
    /** The epochs that no process has. */
    final List<Long> nobodyHas = new CopyOnWriteArrayList<>();

    @Override
    public WorkerProcess attach(long epoch) {
        attaches.add(epoch);
        attach.take();
        if (nobodyHas.contains(epoch)) {
            throw wrongEpoch();
        }
        return new WorkerProcess(FakeWorkerTasks.arn(epoch), "host-1", 4_000 + epoch, "key-" + epoch);
    }

    static ApplicationFailure wrongEpoch() {
        return ApplicationFailure.newFailure("another epoch", WRONG_EPOCH);
    }

    @Override
    public void openSession(long epoch, SealedCredentials credentials) {
        opened.add(epoch);
        open.take();
    }

    @Override
    public void ping(long epoch) {
        pings.add(epoch);
        ping.take();
    }

    @Override
    public void closeSession(long epoch) {
        closed.add(epoch);
        close.take();
    }
}
