package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.UserId;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * What a venue tells of an order after its end. Whatever that changes calls for a person: a position is not what it was
 * taken for.
 */
final class LateReports {
    private final OrderRecords records = Workflow.newLocalActivityStub(OrderRecords.class, OrderPolicies.record());

    /**
     * Enters it into the ledger, and shows an order that it put right.
     *
     * @return that order; null when nothing changed
     */
    @Nullable
    OrderState book(UserId userId, ClientOrderId clientOrderId, VenueReport report) {
        OrderState corrected = records.bookLate(userId, clientOrderId, report);
        if (corrected != null) {
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(true));
            Workflow.setCurrentDetails(corrected.details());
            if (FailureCode.LATE_ARRIVAL.isOf(corrected.reason())) {
                cancel(corrected.request(), report.leg());
            }
        }
        return corrected;
    }

    /** Until the venue has heard it. After a day it is a person's, who was called at once. */
    private static void cancel(OrderRequest order, int leg) {
        OrderWorker worker = new OrderWorker(order);
        VenueControl venue = Workflow.newActivityStub(VenueControl.class, OrderPolicies.ask(order.userId()));
        Pauses pauses = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_CHECK);
        for (int tried = 0; tried < OrderPolicies.LATE_CANCELS; tried++) {
            worker.ensure(OrderStatus.PENDING_CANCEL);
            if (OrderProgress.ask(() -> venue.cancel(new CancelOrder(order, leg))) instanceof FindOutcome.Found) {
                return;
            }
            OrderProgress.pause(pauses.next(), "nobody canceled it; then ask again");
        }
    }
}
