package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
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
        }
        return corrected;
    }
}
