package dev.berth.workflows.worker;

import dev.berth.workflows.Answers;
import dev.berth.workflows.UserId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Redis: one user's epoch, and whether her worker marks itself. */
final class FakeWorkerMarks implements WorkerMarks {
    final AtomicLong epoch = new AtomicLong();
    final List<Long> cleared = new CopyOnWriteArrayList<>();
    final AtomicInteger looks = new AtomicInteger();
    final Answers<Boolean> reachable = new Answers<>(true);
    volatile Mark mark = Mark.KEPT;

    @Override
    public long raiseEpoch(UserId userId, long atLeast) {
        reachable.take();
        return epoch.accumulateAndGet(atLeast, Math::max);
    }

    @Override
    public Mark look(UserId userId) {
        looks.incrementAndGet();
        reachable.take();
        return mark;
    }

    @Override
    public void clear(UserId userId, long ofEpoch) {
        cleared.add(ofEpoch);
    }
}
