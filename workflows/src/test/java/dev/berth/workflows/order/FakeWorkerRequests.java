package dev.berth.workflows.order;

import dev.berth.workflows.Answers;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Counts how often a worker was asked for, and when. */
final class FakeWorkerRequests implements WorkerRequests {
    final List<Instant> asked = new CopyOnWriteArrayList<>();
    final Answers<Boolean> reachable = new Answers<>(true);
    final Answers<Long> unproven = new Answers<>(0L);
    private final Supplier<Instant> clock;

    FakeWorkerRequests(Supplier<Instant> clock) {
        this.clock = clock;
    }

    @Override
    public void ensure(UserId userId, WorkerNeed need) {
        asked.add(clock.get());
        reachable.take();
    }

    @Override
    public long oldestUnproven(UserId userId) {
        return unproven.take();
    }
}
