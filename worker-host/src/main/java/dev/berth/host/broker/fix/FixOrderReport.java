package dev.berth.host.broker.fix;

import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import quickfix.Message;

/**
 * A report about an order that may be of Berth.
 *
 * @param replaced the version whose place this one has taken; null for most
 * @param message as it came
 */
record FixOrderReport(
        VenueClientOrderId id,
        ExecutionReport report,
        @Nullable VenueClientOrderId replaced,
        Message message) {
    /** Whether the order may not trade any more under this id. */
    boolean isOver() {
        return isOver(report);
    }

    static boolean isOver(ExecutionReport report) {
        return report.status().isFinal() || OrderPolicies.REPLACED.equals(report.venueStatus());
    }

    /** For the journal. */
    List<FixOrderChange> changes() {
        List<FixOrderChange> changes = new ArrayList<>();
        if (replaced != null) {
            changes.add(new FixOrderChange(replaced.toString(), false, List.of()));
        }
        changes.add(new FixOrderChange(id.toString(), !isOver(), report.executions()));
        return changes;
    }
}
