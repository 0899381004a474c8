package dev.berth.workflows.order;

import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often a worker was asked for, and when. */
final class FakeWorkerRequests implements WorkerRequests {
    final List<Instant> asked = new CopyOnWriteArrayList<>();
    volatile @Nullable Reason refusal;
    final ScriptedAnswers<Boolean> reachable = new ScriptedAnswers<>(true);
    final ScriptedAnswers<Long> unproven = new ScriptedAnswers<>(0L);
    private final Supplier<Instant> clock;

    FakeWorkerRequests(Supplier<Instant> clock) {
        this.clock = clock;
    }

    @Override
    public @Nullable Reason ensure(UserId userId, WorkerNeed need) {
        asked.add(clock.get());
        reachable.take();
        return refusal;
    }

    @Override
    public long oldestUnconfirmedStop(UserId userId) {
        return unproven.take();
    }
}
