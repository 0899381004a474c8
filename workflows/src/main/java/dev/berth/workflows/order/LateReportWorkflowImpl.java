package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import io.temporal.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Queue;

/** Whatever it changes in an order that was over calls for a person: a position is not what it was taken for. */
public final class LateReportWorkflowImpl implements LateReportWorkflow {
    private final OrderRecords records = Workflow.newLocalActivityStub(OrderRecords.class, OrderPolicies.record());
    private final Queue<VenueReport> reports = new ArrayDeque<>();

    @Override
    public void run(UserId userId, ClientOrderId clientOrderId) {
        while (!reports.isEmpty()) {
            OrderState changed = records.bookLate(userId, clientOrderId, reports.remove());
            if (changed != null) {
                Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(true));
                Workflow.setCurrentDetails(changed.details());
            }
        }
    }

    @Override
    public void report(VenueReport report) {
        reports.add(report);
    }
}
