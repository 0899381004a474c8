package dev.berth.local.venue;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Reports each change of an order over the FIX session of its account. */
final class FixReporter {

    /** By order: ClOrdID of the OrderCancelRequest that is being carried out. */
    private final Map<UUID, String> cancelRequests = new ConcurrentHashMap<>();

    private final FixSessions sessions;

    FixReporter(FixSessions sessions) {
        this.sessions = sessions;
    }

    /** The report of the order's end names this request. */
    void expectCancel(UUID order, String requestId) {
        cancelRequests.put(order, requestId);
    }

    void forgetCancel(UUID order) {
        cancelRequests.remove(order);
    }

    void report(TradeUpdate update) {
        var order = update.order();
        // The report of the order that takes its place says so.
        if (update.event().equals("replaced")) {
            return;
        }
        boolean canceled = update.event().equals("canceled");
        var requestId = canceled ? cancelRequests.remove(order.id()) : null;
        sessions.send(order.account(), FixReport.of(update, requestId));
    }
}
