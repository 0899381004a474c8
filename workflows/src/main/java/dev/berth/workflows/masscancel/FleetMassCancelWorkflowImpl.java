package dev.berth.workflows.masscancel;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.ArrayList;
import java.util.List;

/** A child for each user, so many at once; one that takes long holds up no other. */
public final class FleetMassCancelWorkflowImpl implements FleetMassCancelWorkflow {
    private final MassCancelRecords records =
            Workflow.newActivityStub(MassCancelRecords.class, MassCancelPolicies.records());
    private FleetMassCancelReport report;

    @WorkflowInit
    public FleetMassCancelWorkflowImpl(FleetMassCancelReport begun) {
        this.report = begun;
    }

    @Override
    public FleetMassCancelReport run(FleetMassCancelReport begun) {
        MassCancel request = report.request();
        WorkflowIds.requireOwn(WorkflowIds.fleetMassCancel(request.id()));
        if (report.after() == null) {
            records.record(request);
        }
        List<Promise<Void>> running = new ArrayList<>();
        List<UserId> page;
        do {
            page = records.users(request, report.after());
            for (UserId userId : page) {
                report = report.begunWith(userId);
                running.add(Async.procedure(() -> cancel(userId)));
                while (running.size() >= MassCancelPolicies.USERS_AT_ONCE) {
                    Promise.anyOf(running).get();
                    running.removeIf(Promise::isCompleted);
                }
            }
            if (Workflow.getInfo().isContinueAsNewSuggested()) {
                Promise.allOf(running).get();
                Workflow.continueAsNew(report);
            }
        } while (!page.isEmpty());
        Promise.allOf(running).get();
        report = report.completed();
        return report;
    }

    private void cancel(UserId userId) {
        MassCancelWorkflow user = Workflow.newChildWorkflowStub(
                MassCancelWorkflow.class,
                MassCancelPolicies.child(userId, report.request().id()));
        try {
            MassCancelReport done = user.run(userId, report.request());
            // As it is now: other users' parts ended meanwhile.
            report = report.with(userId, done);
        } catch (ChildWorkflowFailure ended) {
            report = report.withEnded(userId);
        }
    }

    @Override
    public FleetMassCancelReport report() {
        return report;
    }
}
