package dev.berth.host.broker.fix;

import dev.berth.host.broker.SessionListener;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.ExecType;

/** What the counterparty says about orders, each message once unless it was repeated. */
record FixEvents(FixCalls calls, FixKnownOrders known, SessionListener listener, long epoch) {
    /** The order hears of it before who asked. */
    FixCallbacks.Passed received(Message message) {
        try {
            Optional<FixOrderReport> report = FixReports.read(message, epoch);
            return report.isPresent() ? report(report.get()) : absent(message);
        } finally {
            calls.answered(message);
        }
    }

    private FixCallbacks.Passed report(FixOrderReport report) {
        boolean isStatus = FixMessages.has(report.message(), ExecType.FIELD, ExecType.ORDER_STATUS);
        // Who asked for the order's status tells whether it is news.
        if (isStatus) {
            return new FixCallbacks.Passed(report.changes(), CompletableFuture.completedFuture(null));
        }
        known.reported(report);
        return new FixCallbacks.Passed(
                report.changes(), listener.deliver(report.id().order(), report.report()));
    }

    /** A refusal is the answer to who sent the order: repeated, it may be that to a question. */
    private FixCallbacks.Passed absent(Message message) {
        boolean isAbsent = FixReports.isReport(message) && FixReports.isAbsent(message);
        return FixMessages.id(message, ClOrdID.FIELD)
                .filter(_ -> isAbsent)
                .map(id -> {
                    known.absent(id);
                    FixOrderChange change = new FixOrderChange(id.toString(), false, List.of());
                    return new FixCallbacks.Passed(List.of(change), CompletableFuture.completedFuture(null));
                })
                .orElse(FixCallbacks.Passed.NOTHING);
    }
}
