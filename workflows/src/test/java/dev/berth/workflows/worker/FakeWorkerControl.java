package dev.berth.workflows.worker;

import dev.berth.workflows.Answers;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A worker process that answers for every epoch unless told otherwise. */
final class FakeWorkerControl implements WorkerControl {
    final List<Long> attaches = new CopyOnWriteArrayList<>();
    final List<Long> opened = new CopyOnWriteArrayList<>();
    final List<Long> closed = new CopyOnWriteArrayList<>();
    final List<Long> pings = new CopyOnWriteArrayList<>();
    final Answers<Boolean> attach = new Answers<>(true);
    final Answers<Boolean> open = new Answers<>(true);
    final Answers<CloseOutcome> close = new Answers<>(CloseOutcome.CLOSED);
    final Answers<Boolean> ping = new Answers<>(true);
    final Answers<Boolean> drop = new Answers<>(true);
    final List<Boolean> onlyIfIdle = new CopyOnWriteArrayList<>();
    final List<AccountKey> accounts = new CopyOnWriteArrayList<>();
    final List<AccountKey> dropped = new CopyOnWriteArrayList<>();
    /** Who answers when any epoch will do; 0 for nobody. */
    final AtomicLong alive = new AtomicLong();
    /** Whether a process says that it serves; else it waits to be asked. */
    volatile boolean speaks = true;
    /** The epochs that no process has. */
    final List<Long> nobodyHas = new CopyOnWriteArrayList<>();

    @Override
    public WorkerProcess attach(long epoch) {
        attaches.add(epoch);
        attach.take();
        if (nobodyHas.contains(epoch)) {
            throw wrongEpoch();
        }
        if (epoch == ANY_EPOCH) {
            long living = alive.get();
            if (living == 0) {
                throw wrongEpoch();
            }
            return process(living);
        }
        return process(epoch);
    }

    static WorkerProcess process(long epoch) {
        return new WorkerProcess(epoch, FakeWorkerTasks.arn(epoch), "host-1", 4_000 + epoch, "key-" + epoch);
    }

    static ApplicationFailure wrongEpoch() {
        return ApplicationFailure.newFailure("another epoch", WRONG_EPOCH);
    }

    @Override
    public void openSession(long epoch, SealedCredentials credentials) {
        opened.add(epoch);
        accounts.add(credentials.account());
        open.take();
    }

    @Override
    public void ping(long epoch) {
        pings.add(epoch);
        ping.take();
    }

    @Override
    public CloseOutcome closeSession(long epoch, boolean ifIdle) {
        closed.add(epoch);
        onlyIfIdle.add(ifIdle);
        return close.take();
    }

    @Override
    public void dropSession(long epoch, AccountKey account) {
        dropped.add(account);
        drop.take();
    }
}
