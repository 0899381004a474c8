package dev.berth.workflows.maintenance;

import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A fleet with scripted drift. Heals every batch, except those that shall fail. */
final class FakeMaintenance implements Maintenance {
    final AtomicInteger reads = new AtomicInteger();
    final List<List<Drift>> batches = new CopyOnWriteArrayList<>();
    final List<Integer> budgets = new CopyOnWriteArrayList<>();
    final List<SweepReport> reports = new CopyOnWriteArrayList<>();
    volatile SweepView view = new SweepView(0, 0, 0, Map.of(), List.of(), 10, 1);
    volatile boolean readable = true;
    /** A batch with this subject fails every time. */
    volatile @Nullable String poison;

    @Override
    public SweepView findDrift() {
        reads.incrementAndGet();
        if (!readable) {
            throw ApplicationFailure.newFailure("ECS did not answer page 3", "unavailable");
        }
        return view;
    }

    @Override
    public HealOutcome heal(List<Drift> batch, int stopsPerMinute) {
        batches.add(batch);
        budgets.add(stopsPerMinute);
        if (batch.stream().anyMatch(drift -> Objects.equals(drift.subject(), poison))) {
            throw ApplicationFailure.newFailure("Temporal was unavailable", "unavailable");
        }
        return new HealOutcome(Map.of(batch.getFirst().kind(), batch.size()), 0, 0, 0, List.of());
    }

    @Override
    public void report(SweepReport report) {
        reports.add(report);
    }
}
