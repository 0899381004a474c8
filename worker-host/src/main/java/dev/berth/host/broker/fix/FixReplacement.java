package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.ExecType;
import quickfix.field.MsgType;

/**
 * One replacement (35=G): a version with an id and a quantity of its own, which begins without
 * fills.
 */
record FixReplacement(
        FixCalls calls,
        FixRequests requests,
        FixLookUps lookUps,
        FixKnownOrders known,
        Duration limit,
        ReplaceOrder order) {
    /** As {@link BrokerSession#replace}. */
    ReplaceOutcome make(WriteGate gate) throws IOException, InterruptedException {
        ExecutionReport current = current();
        BigDecimal leaves = order.leavesQuantity(current);
        if (FixOrderReport.isOver(current) || leaves.signum() <= 0) {
            return withoutWriting(current);
        }
        try {
            return outcome(ask(leaves, gate));
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    current, Objects.requireNonNull(objected.objection().reason()));
        } catch (NotSentException nothingWritten) {
            return notReplaced(current, "The broker could not be reached; the order is as it was.");
        }
    }

    private ExecutionReport current() throws IOException, InterruptedException {
        return lookUps.find(order.currentId())
                .orElseThrow(() -> new IOException("the broker does not have " + order.currentId()))
                .report();
    }

    /** An earlier call without an answer may have replaced the order; else it is too late. */
    private ReplaceOutcome withoutWriting(ExecutionReport current) throws IOException, InterruptedException {
        Optional<FixOrderReport> next = lookUps.find(order.nextId());
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get().report());
        }
        requireInPlace(current);
        return notReplaced(
                current,
                current.status().isFinal()
                        ? "The order was over before it could be replaced."
                        : "The order was filled as far as that before it could be replaced.");
    }

    /** Replaced outside of Berth, or the broker does not show the new version yet: unknown. */
    private void requireInPlace(ExecutionReport current) throws IOException {
        if (FixReports.isReplaced(current)) {
            throw new IOException(order.currentId() + " was replaced, and " + order.nextId() + " cannot be found");
        }
    }

    private Message ask(BigDecimal leaves, WriteGate gate) throws IOException, InterruptedException {
        VenueClientOrderId next = order.nextId();
        OrderTerms terms = new OrderTerms(
                new Decimal(leaves), order.wanted().limitPrice(), order.wanted().stopPrice());
        Message message = requests.replacement(order.request(), order.currentId(), next, terms);
        known.sent(next, FixInstrument.of(message));
        Message answer = calls.execute(message, next.toString(), said -> isAnswer(said, next), limit, gate)
                .getLast();
        if (FixMessages.isReject(answer)) {
            throw FixSubmission.refused(answer);
        }
        return answer;
    }

    /** A pending replacement has no outcome yet. */
    private static boolean isAnswer(Message said, VenueClientOrderId next) {
        boolean isOutcome = FixMessages.is(said, MsgType.ORDER_CANCEL_REJECT)
                || (FixReports.isReport(said)
                        && !FixMessages.isRepeated(said)
                        && !FixReports.answersQuestion(said)
                        && !FixMessages.has(said, ExecType.FIELD, ExecType.PENDING_REPLACE));
        return isOutcome && FixMessages.has(said, ClOrdID.FIELD, next.toString());
    }

    private ReplaceOutcome outcome(Message answer) throws IOException, InterruptedException {
        if (FixMessages.is(answer, MsgType.ORDER_CANCEL_REJECT) || FixReports.isRejection(answer)) {
            return refused(answer);
        }
        FixOrderReport next = FixReports.require(answer, order.nextId(), requests.epoch());
        // Read the replaced version again: it may have been filled before it was replaced.
        return new ReplaceOutcome.Replaced(current(), next.report());
    }

    /** An earlier request for the same may have been carried out: look both versions up. */
    private ReplaceOutcome refused(Message refusal) throws IOException, InterruptedException {
        Optional<FixOrderReport> next = lookUps.find(order.nextId());
        ExecutionReport current = current();
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get().report());
        }
        requireInPlace(current);
        return notReplaced(current, FixReports.refusal(refusal));
    }

    private static ReplaceOutcome notReplaced(ExecutionReport current, String text) {
        return new ReplaceOutcome.NotReplaced(current, FailureCode.NOT_REPLACED.because(text));
    }
}
