package dev.berth.workflows.worker;

import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Redis: one user's epoch, and whether her worker heartbeats itself. */
final class FakeWorkerHeartbeats implements WorkerHeartbeats {
    final AtomicLong epoch = new AtomicLong();
    final List<Long> deleted = new CopyOnWriteArrayList<>();
    final AtomicInteger reads = new AtomicInteger();
    final ScriptedAnswers<Boolean> reachable = new ScriptedAnswers<>(true);
    volatile HeartbeatKeyState key = HeartbeatKeyState.PRESENT;
    /** Tasks that serve another user. */
    final List<String> ofAnother = new CopyOnWriteArrayList<>();

    volatile Duration leaseLeft = LEASE_OVER;
    volatile boolean waiting;

    @Override
    public long raiseEpoch(UserId userId, long atLeast) {
        reachable.take();
        return epoch.accumulateAndGet(atLeast, Math::max);
    }

    @Override
    public HeartbeatKeyState readKey(UserId userId) {
        reads.incrementAndGet();
        reachable.take();
        return key;
    }

    @Override
    public Duration leaseLeft(UserId userId, long ofEpoch) {
        return leaseLeft;
    }

    @Override
    public boolean isOfAnother(UserId userId, String taskArn) {
        return ofAnother.contains(taskArn);
    }

    @Override
    public boolean hasWaitingOrders(UserId userId) {
        return waiting;
    }

    @Override
    public void deleteKey(UserId userId, long ofEpoch) {
        deleted.add(ofEpoch);
    }
}
