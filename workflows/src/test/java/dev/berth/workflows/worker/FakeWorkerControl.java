package dev.berth.workflows.worker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A worker process that answers for every epoch unless told otherwise. */
final class FakeWorkerControl implements WorkerControl {
    final List<Long> attaches = new CopyOnWriteArrayList<>();
    final List<Long> opened = new CopyOnWriteArrayList<>();
    final List<Long> closed = new CopyOnWriteArrayList<>();
    final List<Long> pings = new CopyOnWriteArrayList<>();
    final ScriptedAnswers<Boolean> attach = new ScriptedAnswers<>(true);
    final ScriptedAnswers<Boolean> open = new ScriptedAnswers<>(true);
    final ScriptedAnswers<CloseOutcome> close = new ScriptedAnswers<>(CloseOutcome.CLOSED);
    final ScriptedAnswers<Boolean> ping = new ScriptedAnswers<>(true);
    final ScriptedAnswers<Boolean> drop = new ScriptedAnswers<>(true);
    final List<Boolean> onlyIfIdle = new CopyOnWriteArrayList<>();
    final List<AccountKey> accounts = new CopyOnWriteArrayList<>();
    final List<AccountKey> dropped = new CopyOnWriteArrayList<>();
    /** Who answers when any epoch will do; 0 for no process. */
    final AtomicLong alive = new AtomicLong();
    /** Whether a process says that it serves; else it waits to be asked. */
    volatile boolean speaks = true;
    /** Answers in place of the process that was asked. */
    volatile @Nullable WorkerProcess impostor;
    /** The epochs that no process has. */
    final List<Long> nobodyHas = new CopyOnWriteArrayList<>();

    @Override
    public WorkerProcess attach(long epoch) {
        attaches.add(epoch);
        attach.take();
        WorkerProcess impostor = this.impostor;
        if (impostor != null) {
            return impostor;
        }
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
        return FailureType.WRONG_EPOCH.failure("another epoch");
    }

    @Override
    public void openSession(long epoch, SealedCredentials credentials) {
        opened.add(epoch);
        accounts.add(AccountKey.parse(credentials.ciphertext()));
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
    public CloseOutcome closeIfQuiet(long epoch) {
        closed.add(epoch);
        return close.take();
    }

    @Override
    public void dropSession(long epoch, AccountKey account) {
        dropped.add(account);
        drop.take();
    }
}
