package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Asks for what no stream reported: the open orders in one request, and those that are over since.
 * A process that has just begun knows no order yet: it reports what has traded, and what ended
 * lately.
 */
final class AlpacaReconciliation {
    /** Alpaca's maximum. */
    private static final int PAGE_SIZE = 500;
    /** More look-ups than these cost more than one list. */
    private static final int LOOK_UPS = 5;
    /** What ended before is found by the order's own checks, each at most 5 min after the last. */
    private static final Duration LOOK_BACK = Duration.ofMinutes(15);

    private final AlpacaSession session;
    private final KnownOrders known;
    private final BiConsumer<VenueClientOrderId, ExecutionReport> onReport;
    private boolean isFirst = true;

    AlpacaReconciliation(
            AlpacaSession session, KnownOrders known, BiConsumer<VenueClientOrderId, ExecutionReport> onReport) {
        this.session = session;
        this.known = known;
        this.onReport = onReport;
    }

    /**
     * Reports the differences.
     *
     * @param grace how long the stream may still report them itself
     * @return how many orders differed from what was known
     */
    synchronized int run(Duration grace) throws IOException, InterruptedException {
        Set<VenueClientOrderId> gone = new HashSet<>(known.open());
        Map<VenueClientOrderId, ExecutionReport> open = listOpen();
        gone.removeAll(open.keySet());
        long deadline = System.nanoTime() + grace.toNanos();
        int differences = 0;
        for (Map.Entry<VenueClientOrderId, ExecutionReport> order : open.entrySet()) {
            differences += isMissed(order.getKey(), order.getValue(), grace, deadline) ? 1 : 0;
        }
        for (VenueClientOrderId id : Set.copyOf(gone)) {
            if (grace.isPositive() && known.isOver(id, deadline)) {
                gone.remove(id);
            }
        }
        if (isFirst || gone.size() > LOOK_UPS) {
            for (Map.Entry<VenueClientOrderId, ExecutionReport> order :
                    list("closed&direction=desc").entrySet()) {
                gone.remove(order.getKey());
                differences += report(order.getKey(), order.getValue()) ? 1 : 0;
            }
        }
        for (VenueClientOrderId id : gone) {
            Optional<ExecutionReport> found = session.lookUp(id);
            differences += found.isPresent() && report(id, found.get()) ? 1 : 0;
        }
        isFirst = false;
        return differences;
    }

    private boolean isMissed(VenueClientOrderId id, ExecutionReport report, Duration grace, long deadline)
            throws IOException, InterruptedException {
        if (grace.isPositive() && known.catchesUp(id, report, deadline)) {
            return false;
        }
        return report(id, report) || grace.isPositive();
    }

    private Map<VenueClientOrderId, ExecutionReport> listOpen() throws IOException, InterruptedException {
        Map<VenueClientOrderId, ExecutionReport> open = new HashMap<>();
        JsonNode page = session.orders("open&direction=asc");
        read(page, open);
        while (page.size() == PAGE_SIZE) {
            String last = page.get(PAGE_SIZE - 1).path("submitted_at").asText();
            page = session.orders("open&direction=asc&after=" + last);
            read(page, open);
        }
        return open;
    }

    private Map<VenueClientOrderId, ExecutionReport> list(String query) throws IOException, InterruptedException {
        Map<VenueClientOrderId, ExecutionReport> orders = new HashMap<>();
        read(session.orders(query), orders);
        return orders;
    }

    private void read(JsonNode page, Map<VenueClientOrderId, ExecutionReport> into) {
        for (JsonNode order : page) {
            AlpacaOrders.id(order).ifPresent(id -> into.put(id, session.report(order)));
        }
    }

    /** True when the order was known, and is not as it was known. */
    private boolean report(VenueClientOrderId id, ExecutionReport report) throws IOException, InterruptedException {
        boolean wasKnown = known.find(id).isPresent();
        boolean isNews = known.streamed(id, report);
        if (wasKnown && isNews) {
            onReport.accept(id, report.filledQuantity().isPositive() ? session.withExecutions(report) : report);
        } else if (!wasKnown && isWorthReporting(report)) {
            // Without executions: it starts nothing for an order that ended long ago.
            onReport.accept(id, report);
        }
        return wasKnown && isNews;
    }

    private static boolean isWorthReporting(ExecutionReport report) {
        if (!AlpacaOrders.isOver(report)) {
            return report.filledQuantity().isPositive();
        }
        Instant changed = Objects.requireNonNullElse(report.updatedAt(), Instant.EPOCH);
        return changed.isAfter(Instant.now().minus(LOOK_BACK));
    }
}
