package dev.berth.host.broker;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The newest report of each order version that a session has had. */
final class KnownOrders {
    /** About half a kilobyte each. */
    private static final int KEPT = 10_000;

    /** @param isStreamed whether the stream, or a list of all, has reported the order as it is */
    private record Entry(ExecutionReport report, boolean isStreamed) {}

    private final BoundedMap<VenueClientOrderId, Entry> entries = new BoundedMap<>(KEPT);

    /** Keeps an answer to a request; true when it has news. */
    synchronized boolean answered(VenueClientOrderId id, ExecutionReport report) {
        return keep(id, report, false);
    }

    /** Keeps what the stream, or a list of all orders, reported; true when it has news. */
    synchronized boolean streamed(VenueClientOrderId id, ExecutionReport report) {
        return keep(id, report, true);
    }

    private boolean keep(VenueClientOrderId id, ExecutionReport report, boolean isStreamed) {
        Entry before = entries.get(id);
        if (before != null && !isNewer(report, before.report)) {
            entries.put(id, new Entry(before.report, before.isStreamed || isStreamed));
            notifyAll();
            return false;
        }
        entries.put(id, new Entry(report.withExecutions(List.of()), isStreamed));
        notifyAll();
        return before == null || !isSame(report, before.report);
    }

    /**
     * As for the order itself: more fills, a bust, or the end with as many, are news at any time of
     * the venue's clocks.
     */
    private static boolean isNewer(ExecutionReport report, ExecutionReport before) {
        int growth = report.filledQuantity().compareTo(before.filledQuantity());
        if (growth > 0
                || report.reportsBust()
                || (growth == 0 && AlpacaOrders.isOver(report) && !AlpacaOrders.isOver(before))) {
            return true;
        }
        if (report.updatedAt() == null || before.updatedAt() == null) {
            return !before.status().isFinal();
        }
        return report.updatedAt().isAfter(before.updatedAt())
                || (growth == 0 && report.updatedAt().equals(before.updatedAt()) && !isSame(report, before));
    }

    private static boolean isSame(ExecutionReport one, ExecutionReport other) {
        return one.venueStatus().equals(other.venueStatus())
                && one.filledQuantity().equals(other.filledQuantity());
    }

    synchronized Optional<ExecutionReport> find(VenueClientOrderId id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::report);
    }

    synchronized void forget(VenueClientOrderId id) {
        entries.remove(id);
        notifyAll();
    }

    /** Empty when only answers to requests told of the order. */
    synchronized Optional<ExecutionReport> findStreamed(VenueClientOrderId id) {
        return Optional.ofNullable(entries.get(id)).filter(Entry::isStreamed).map(Entry::report);
    }

    /** False when the stream has not reported the order as it is in this report, in time. */
    synchronized boolean catchesUp(VenueClientOrderId id, ExecutionReport report, long deadlineNanos)
            throws InterruptedException {
        Entry entry = entries.get(id);
        while (entry == null || !entry.isStreamed || (isNewer(report, entry.report) && !isSame(report, entry.report))) {
            long left = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
            entry = entries.get(id);
        }
        return true;
    }

    /** The orders that may still trade. */
    synchronized List<VenueClientOrderId> open() {
        List<VenueClientOrderId> open = new ArrayList<>();
        entries.forEach((id, entry) -> {
            if (!AlpacaOrders.isOver(entry.report)) {
                open.add(id);
            }
        });
        return open;
    }

    /** Waits until a report says so; false after the deadline. */
    synchronized boolean isOver(VenueClientOrderId id, long deadlineNanos) throws InterruptedException {
        Entry entry = entries.get(id);
        while (entry != null && !AlpacaOrders.isOver(entry.report)) {
            long left = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
            entry = entries.get(id);
        }
        return entry != null;
    }
}
