package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.host.broker.SessionListener;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.Message;

/**
 * After a logon with a gap: asks for every order that works, here or there, and reports what is
 * news. What the counterparty repeats comes before its answers.
 */
record FixReconciliation(FixLookUps lookUps, FixKnownOrders known, SessionListener listener, long epoch) {
    private static final Logger LOG = LoggerFactory.getLogger(FixReconciliation.class);

    void start() {
        Thread.ofVirtual().name("fix-reconciliation").start(() -> {
            try {
                run();
            } catch (IOException unavailable) {
                // The next logon asks again, and each order asks for itself.
                LOG.warn("the orders are not compared: {}", unavailable.getMessage());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void run() throws IOException, InterruptedException {
        Set<VenueClientOrderId> unasked =
                new LinkedHashSet<>(known.working(lookUps.journal().working()));
        try {
            for (Message order : lookUps.working()) {
                Optional<FixOrderReport> report = FixReports.read(order, epoch);
                if (report.isPresent()) {
                    unasked.remove(report.get().id());
                    report(report.get());
                }
            }
        } catch (UnsupportedException unlisted) {
            LOG.debug("each order is asked for: {}", unlisted.getMessage());
        }
        for (VenueClientOrderId id : unasked) {
            Optional<FixOrderReport> found = lookUps.find(id);
            if (found.isPresent()) {
                report(found.get());
            }
        }
    }

    private void report(FixOrderReport found) throws IOException {
        if (known.reported(found)) {
            ExecutionReport report = lookUps.withExecutions(found);
            listener.deliver(found.id().order(), report);
        }
    }
}
