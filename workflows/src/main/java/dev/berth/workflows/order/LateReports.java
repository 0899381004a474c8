package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.UserId;
import io.temporal.workflow.Workflow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports of a venue after the end of an order. A report that changes the order calls for a person:
 * a position is not what it was taken for.
 */
final class LateReports {
    private final OrderRecords records = Workflow.newLocalActivityStub(OrderRecords.class, OrderPolicies.record());
    private final Supplier<Boolean> hasReports;
    private final Runnable recordReports;

    /** Further reports are recorded while a cancel waits. */
    LateReports(Supplier<Boolean> hasReports, Runnable recordReports) {
        this.hasReports = hasReports;
        this.recordReports = recordReports;
    }

    /**
     * Enters the report into the ledger, and shows an order that it corrects.
     *
     * @return that order; null when nothing changed
     */
    @Nullable
    OrderState record(UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
        OrderState corrected = records.recordLateReport(userId, clientOrderId, report);
        if (corrected != null) {
            OrderVisibility.showAttention();
            Workflow.setCurrentDetails(corrected.details());
            if (FailureCode.LATE_ARRIVAL.isOf(corrected.reason())
                    && !report.status().isFinal()) {
                cancel(corrected.request(), report.version());
            }
        }
        return corrected;
    }

    /** Repeats the cancel until the venue has it, for a day. A person was called at once. */
    private void cancel(OrderRequest order, int version) {
        WorkerRequester worker = new WorkerRequester(order);
        VenueControl venue = Workflow.newActivityStub(VenueControl.class, OrderPolicies.ask(order.userId()));
        ExponentialBackoff pauses = new ExponentialBackoff(OrderPolicies.FIRST_RETRY, OrderPolicies.LONGEST_CHECK);
        for (int tried = 0; tried < OrderPolicies.LATE_CANCELS; tried++) {
            worker.ensure(OrderStatus.PENDING_CANCEL);
            if (CurrentOrder.askAbout(version, () -> venue.cancel(new CancelOrder(order, version)))
                            instanceof FindOutcome.Found(var after, var _)
                    && !after.refusesCancel()) {
                return;
            }
            if (TimedAwait.until(pauses.next(), "no worker canceled it; then ask again", hasReports)) {
                recordReports.run();
            }
        }
    }
}
