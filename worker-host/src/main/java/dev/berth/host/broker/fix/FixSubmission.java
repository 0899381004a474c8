package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Duration;
import quickfix.Message;
import quickfix.field.BusinessRejectReason;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrderQty;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.StopPx;
import quickfix.field.Symbol;

/** One order on its way to the counterparty (35=D). */
record FixSubmission(FixCalls calls, FixLookUps lookUps, FixKnownOrders known, Message message, OrderRequest order) {
    private VenueClientOrderId id() {
        return new VenueClientOrderId(order.clientOrderId(), 0);
    }

    ExecutionReport send(long epoch, Duration limit, WriteGate gate) throws IOException, InterruptedException {
        VenueClientOrderId id = id();
        known.sent(id, FixInstrument.of(message));
        Message answer = calls.execute(message, id.toString(), said -> isAnswer(said, id), limit, gate)
                .getLast();
        if (FixMessages.isReject(answer)) {
            throw refused(answer);
        }
        if (FixReports.isRejection(answer)) {
            return FixMessages.has(answer, OrdRejReason.FIELD, OrdRejReason.DUPLICATE_ORDER)
                    ? duplicate(id, epoch)
                    : FixReports.rejected(answer, epoch);
        }
        FixOrderReport report = FixReports.require(answer, id, epoch);
        // An earlier order with this id may have been reported just now.
        return isSame(answer) ? report.report() : FixReports.duplicateOfAnother(epoch);
    }

    /**
     * What is repeated was said before this order was sent; a status, or that there is no such
     * order, answers a question.
     */
    private static boolean isAnswer(Message said, VenueClientOrderId id) {
        return FixReports.isReport(said)
                && !FixMessages.isRepeated(said)
                && !FixReports.answersQuestion(said)
                && !FixMessages.has(said, OrdRejReason.FIELD, OrdRejReason.UNKNOWN_ORDER)
                && FixMessages.has(said, ClOrdID.FIELD, id.toString());
    }

    /** Only "application not available" says that the order was not processed. */
    static IOException refused(Message reject) {
        String words = "the broker refused the message: " + FixMessages.words(reject);
        boolean isProof = FixMessages.is(reject, MsgType.BUSINESS_MESSAGE_REJECT)
                && FixMessages.has(reject, BusinessRejectReason.FIELD, BusinessRejectReason.APPLICATION_NOT_AVAILABLE);
        return isProof ? new NotSentException(words, new IOException(words)) : new IOException(words);
    }

    /** The order at the counterparty is this one only with the same terms. */
    private ExecutionReport duplicate(VenueClientOrderId id, long epoch) throws IOException, InterruptedException {
        FixOrderReport found = lookUps.find(id).orElseThrow(() -> new IOException("a duplicate that cannot be found"));
        return isSame(found.message()) ? found.report() : FixReports.duplicateOfAnother(epoch);
    }

    private boolean isSame(Message report) {
        return isSameText(report, Symbol.FIELD)
                && isSameText(report, Side.FIELD)
                && isSameNumber(report, OrderQty.FIELD)
                && isSamePrice(report, Price.FIELD)
                && isSamePrice(report, StopPx.FIELD);
    }

    /** What a report leaves out differs in nothing. */
    private boolean isSameText(Message report, int tag) {
        return !report.isSetField(tag) || report.getOptionalString(tag).equals(message.getOptionalString(tag));
    }

    private boolean isSameNumber(Message report, int tag) {
        return !report.isSetField(tag)
                || FixMessages.decimal(report, tag).compareTo(FixMessages.decimal(message, tag)) == 0;
    }

    /** A market order has none, and some counterparties write 0 there. */
    private boolean isSamePrice(Message report, int tag) {
        boolean has = report.isSetField(tag) && FixMessages.decimal(report, tag).signum() > 0;
        return has == message.isSetField(tag) && (!has || isSameNumber(report, tag));
    }
}
