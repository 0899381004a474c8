package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import java.util.ArrayDeque;
import java.util.Queue;

/** Books one report after the other, in the order in which they came. */
public final class LateReportWorkflowImpl implements LateReportWorkflow {
    private final LateReports late = new LateReports();
    private final Queue<VenueReport> reports = new ArrayDeque<>();

    @Override
    public void run(UserId userId, ClientOrderId clientOrderId) {
        while (!reports.isEmpty()) {
            late.book(userId, clientOrderId, reports.remove());
        }
    }

    @Override
    public void report(VenueReport report) {
        reports.add(report);
    }
}
