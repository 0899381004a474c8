package dev.berth.host.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the reports of an order's end that come while this process cancels it: the answer to the
 * cancel has most of them, and each that is passed on costs the order's workflow a signal.
 */
final class CancelReports {
    private final Map<VenueClientOrderId, List<ExecutionReport>> kept = new ConcurrentHashMap<>();

    /** False when another cancel of this version keeps them already. */
    boolean begin(VenueClientOrderId id) {
        return kept.putIfAbsent(id, List.of()) == null;
    }

    /** False when no cancel of this version is running, or the order is not at its end. */
    boolean keep(ClientOrderId id, ExecutionReport report) {
        return report.status().isFinal()
                && kept.computeIfPresent(
                                new VenueClientOrderId(id, report.version()), (_, reports) -> with(reports, report))
                        != null;
    }

    private static List<ExecutionReport> with(List<ExecutionReport> reports, ExecutionReport report) {
        List<ExecutionReport> all = new ArrayList<>(reports);
        all.add(report);
        return all;
    }

    /** What the answer does not have. */
    List<ExecutionReport> end(VenueClientOrderId id, Optional<ExecutionReport> answer) {
        List<ExecutionReport> reports = kept.remove(id);
        return reports == null
                ? List.of()
                : reports.stream()
                        .filter(report ->
                                answer.filter(known -> known.includes(report)).isEmpty())
                        .toList();
    }
}
