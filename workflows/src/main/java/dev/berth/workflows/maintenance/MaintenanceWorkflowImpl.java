package dev.berth.workflows.maintenance;

import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds drift once, heals it in independent batches, and reports the result. */
public final class MaintenanceWorkflowImpl implements MaintenanceWorkflow {
    private final Maintenance find = Workflow.newActivityStub(Maintenance.class, MaintenancePolicies.find());
    private final Maintenance heal = Workflow.newActivityStub(Maintenance.class, MaintenancePolicies.heal());
    private final Maintenance report = Workflow.newLocalActivityStub(Maintenance.class, MaintenancePolicies.report());

    @Override
    public SweepReport run() {
        SweepView view;
        try {
            view = find.findDrift();
        } catch (ActivityFailure failure) {
            return report(null, HealOutcome.NONE, SweepFormatter.failed(reasonOf(failure)));
        }
        HealOutcome healed = healAll(view);
        return report(view, healed, SweepFormatter.of(view, healed));
    }

    /** All batches run at once: there are ten at most. */
    private HealOutcome healAll(SweepView view) {
        List<Promise<HealOutcome>> batches = Batches.of(view.drifts(), MaintenancePolicies.BATCH).stream()
                .map(batch -> Async.function(heal::heal, batch, view.stopsPerMinute()))
                .toList();
        HealOutcome all = HealOutcome.NONE;
        for (Promise<HealOutcome> batch : batches) {
            all = all.plus(outcomeOf(batch));
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

    private SweepReport report(@Nullable SweepView view, HealOutcome healed, String text) {
        SweepReport sweep = new SweepReport(view, healed, text);
        Workflow.setCurrentDetails(text);
        try {
            report.report(sweep);
        } catch (ActivityFailure failure) {
            // The workflow's result is the same report.
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
