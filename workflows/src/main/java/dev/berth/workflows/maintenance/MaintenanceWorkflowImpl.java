package dev.berth.workflows.maintenance;

import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks once, heals in batches that fail alone, and says what it did. */
public final class MaintenanceWorkflowImpl implements MaintenanceWorkflow {
    private final Maintenance look = Workflow.newActivityStub(Maintenance.class, MaintenancePolicies.look());
    private final Maintenance heal = Workflow.newActivityStub(Maintenance.class, MaintenancePolicies.heal());
    private final Maintenance report = Workflow.newLocalActivityStub(Maintenance.class, MaintenancePolicies.report());

    @Override
    public SweepReport run() {
        SweepView view;
        try {
            view = look.findDrift();
        } catch (ActivityFailure unread) {
            return tell(null, HealOutcome.NONE, SweepWords.failed(reasonOf(unread)));
        }
        HealOutcome healed = healAll(view);
        return tell(view, healed, SweepWords.of(view, healed));
    }

    /** All batches at once: there are ten at most. */
    private HealOutcome healAll(SweepView view) {
        List<Promise<HealOutcome>> batches = Batches.of(view.drifts(), MaintenancePolicies.BATCH).stream()
                .map(batch -> Async.function(heal::heal, batch, view.stopsPerMinute()))
                .toList();
        HealOutcome all = HealOutcome.NONE;
        for (Promise<HealOutcome> batch : batches) {
            all = all.and(outcomeOf(batch));
        }
        return all;
    }

    private static HealOutcome outcomeOf(Promise<HealOutcome> batch) {
        try {
            return batch.get();
        } catch (ActivityFailure failure) {
            return HealOutcome.failed("a batch failed: " + reasonOf(failure));
        }
    }

    private SweepReport tell(@Nullable SweepView view, HealOutcome healed, String words) {
        SweepReport sweep = new SweepReport(view, healed, words);
        Workflow.setCurrentDetails(words);
        try {
            report.report(sweep);
        } catch (ActivityFailure untold) {
            // The workflow's own result says the same.
        }
        return sweep;
    }

    private static String reasonOf(ActivityFailure failure) {
        Throwable cause = failure.getCause();
        return cause instanceof ApplicationFailure known
                ? String.valueOf(known.getOriginalMessage())
                : String.valueOf(cause);
    }
}
