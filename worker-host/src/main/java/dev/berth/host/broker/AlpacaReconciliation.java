package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.broker.RequestBudget.Purpose;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for what no stream reported: the open orders in one request, and those that are over since.
 * A process that has just begun knows no order yet: it reports what has traded, and what ended
 * lately.
 */
final class AlpacaReconciliation {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaReconciliation.class);
    /** More look-ups than these cost more than one list. */
    private static final int LOOK_UPS = 5;
    /** What ended before is found by the order's own checks, each at most 1 h after the last. */
    private static final Duration LOOK_BACK = Duration.ofMinutes(75);

    private final AlpacaSession session;
    private final KnownOrders known;
    private final AlpacaOpenOrderPages pages;
    private final SessionListener listener;
    private boolean isFirst = true;
    /** Orders of the last run. */
    private int unreadable;

    AlpacaReconciliation(
            AlpacaSession session, KnownOrders known, AlpacaOpenOrderPages pages, SessionListener listener) {
        this.session = session;
        this.known = known;
        this.pages = pages;
        this.listener = listener;
    }

    /**
     * Reports the differences.
     *
     * @param grace how long the stream may still report them itself
     * @return how many orders differed from what was known
     */
    synchronized int run(Duration grace) throws IOException, InterruptedException {
        int unreadableBefore = unreadable;
        unreadable = 0;
        int differences = differences(grace);
        if (unreadable != unreadableBefore) {
            LOG.info("{} orders of the account are not of Berth, or cannot be read, and are left out", unreadable);
        }
        return differences;
    }

    private int differences(Duration grace) throws IOException, InterruptedException {
        Set<VenueClientOrderId> gone = new HashSet<>(known.open());
        Map<VenueClientOrderId, ExecutionReport> open = listOpen(gone);
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
            differences += lookUp(id) ? 1 : 0;
        }
        isFirst = false;
        return differences;
    }

    private boolean isMissed(VenueClientOrderId id, ExecutionReport report, Duration grace, long deadline)
            throws IOException, InterruptedException {
        if (grace.isPositive() && known.catchesUp(id, report, deadline)) {
            return false;
        }
        boolean isUnannounced =
                AlpacaOrders.isNotWorkingYet(report) && known.findStreamed(id).isEmpty();
        return (report(id, report) || grace.isPositive()) && !isUnannounced;
    }

    private boolean lookUp(VenueClientOrderId id) throws IOException, InterruptedException {
        try {
            Optional<ExecutionReport> found = session.lookUp(id);
            return found.isPresent() && report(id, found.get());
        } catch (BrokerSession.RefusedException | BrokerSession.OverBudgetException ofAccount) {
            throw ofAccount;
        } catch (IOException odd) {
            // Its own checks ask the venue from now on.
            known.forget(id);
            unreadable++;
            return false;
        }
    }

    /** Takes the orders that are listed, also those that cannot be read, from {@code gone}. */
    private Map<VenueClientOrderId, ExecutionReport> listOpen(Set<VenueClientOrderId> gone)
            throws IOException, InterruptedException {
        Map<VenueClientOrderId, ExecutionReport> open = new HashMap<>();
        boolean hasNews = pages.list(Purpose.CHECK, page -> {
            read(page, open);
            page.forEach(order -> AlpacaOrders.id(order).ifPresent(gone::remove));
        });
        if (hasNews) {
            listener.accountChanged();
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
            Optional<ExecutionReport> report = session.read(order);
            if (report.isEmpty()) {
                unreadable++;
            } else {
                AlpacaOrders.id(order).ifPresent(id -> into.put(id, report.get()));
            }
        }
    }

    private boolean report(VenueClientOrderId id, ExecutionReport report) throws IOException, InterruptedException {
        boolean wasKnown = known.find(id).isPresent();
        boolean isNew = known.streamed(id, report);
        if (wasKnown && isNew) {
            listener.reported(id.order(), withExecutions(report));
        } else if (!wasKnown && isWorthReporting(report)) {
            // Without executions: it starts nothing for an order that ended long ago.
            listener.reported(id.order(), report);
        }
        return wasKnown && isNew;
    }

    /** Without them when they cannot be had now: the order asks for those that are missing. */
    private ExecutionReport withExecutions(ExecutionReport report) throws InterruptedException {
        if (!report.filledQuantity().isPositive()) {
            return report;
        }
        try {
            return session.withExecutions(report);
        } catch (IOException unavailable) {
            LOG.warn("executions of {} cannot be had now: {}", report.venueOrderId(), unavailable.getMessage());
            return report;
        }
    }

    private static boolean isWorthReporting(ExecutionReport report) {
        if (!AlpacaOrders.isOver(report)) {
            return report.filledQuantity().isPositive();
        }
        Instant changed = Objects.requireNonNullElse(report.updatedAt(), Instant.EPOCH);
        return changed.isAfter(Instant.now().minus(LOOK_BACK));
    }
}
