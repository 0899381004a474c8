package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.CxlRejReason;
import quickfix.field.ExecType;
import quickfix.field.MassCancelResponse;
import quickfix.field.MsgType;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.OrigClOrdID;

/** Cancels, by Berth's id and by the counterparty's, of one order (35=F) and of all (35=q). */
record FixOrderCancels(FixCalls calls, FixRequests requests, FixLookUps lookUps, FixSettings settings, Duration limit) {
    /** As {@link BrokerSession#cancel}. */
    Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<FixOrderReport> before = lookUps.find(id);
        if (before.isEmpty() || before.get().isOver()) {
            return before.map(FixOrderReport::report);
        }
        Message answer = ask(before.get().message(), id.toString());
        if (!FixMessages.is(answer, MsgType.ORDER_CANCEL_REJECT)) {
            return Optional.of(FixReports.require(answer, id, requests.epoch()).report());
        }
        return lookUps.find(id).map(after -> after.isOver() ? after.report() : refused(after.report(), answer));
    }

    private static ExecutionReport refused(ExecutionReport order, Message refusal) {
        return order.withReason(FailureCode.NOT_CANCELED.because(FixReports.refusal(refusal)));
    }

    /** The report of the order after it, or why it was refused. */
    private Message ask(Message order, String original) throws IOException, InterruptedException {
        String requestId = calls.newId("cancel");
        Message answer = calls.ask(
                requests.cancel(order, original, requestId),
                requestId,
                said -> isAnswer(said, original, requestId),
                limit);
        if (FixMessages.isReject(answer)) {
            throw new IOException("the broker did not cancel: " + FixMessages.words(answer));
        }
        return answer;
    }

    private static boolean isAnswer(Message said, String original, String requestId) {
        boolean isNamed = FixMessages.has(said, ClOrdID.FIELD, requestId);
        if (FixMessages.is(said, MsgType.ORDER_CANCEL_REJECT)) {
            return isNamed;
        }
        boolean isOrder =
                FixMessages.has(said, ClOrdID.FIELD, original) || FixMessages.has(said, OrigClOrdID.FIELD, original);
        return FixReports.isReport(said)
                && !FixMessages.isRepeated(said)
                && !FixReports.answersQuestion(said)
                && (isNamed || (isOrder && saysCanceled(said)));
    }

    private static boolean saysCanceled(Message report) {
        return FixMessages.has(report, OrdStatus.FIELD, OrdStatus.CANCELED)
                || FixMessages.has(report, ExecType.FIELD, ExecType.CANCELED);
    }

    /** As {@link BrokerSession#openOrders}. */
    List<AccountOrder> openOrders() throws IOException, InterruptedException {
        return lookUps.working().stream()
                .map(FixOpenOrder::read)
                .flatMap(Optional::stream)
                .toList();
    }

    /** As {@link BrokerSession#cancelVenueOrder}. */
    CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        Optional<Message> order = lookUps.working().stream()
                .filter(one -> FixMessages.has(one, OrderID.FIELD, venueOrderId))
                .findFirst();
        if (order.isEmpty()) {
            return CancelVenueOrderOutcome.ABSENT;
        }
        Message answer =
                ask(order.get(), order.get().getOptionalString(ClOrdID.FIELD).orElse(venueOrderId));
        if (!FixMessages.is(answer, MsgType.ORDER_CANCEL_REJECT)) {
            return CancelVenueOrderOutcome.REQUESTED;
        }
        return FixMessages.has(answer, CxlRejReason.FIELD, CxlRejReason.UNKNOWN_ORDER)
                ? CancelVenueOrderOutcome.ABSENT
                : CancelVenueOrderOutcome.REFUSED;
    }

    /** As {@link BrokerSession#cancelAll}. */
    Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        if (!settings.massCancel()) {
            throw new UnsupportedException("The broker does not cancel all orders with one request.");
        }
        List<Message> covered = lookUps.working();
        String requestId = calls.newId("cancel");
        Message answer = calls.ask(
                requests.massCancel(requestId),
                requestId,
                said -> FixMessages.is(said, MsgType.ORDER_MASS_CANCEL_REPORT)
                        && FixMessages.has(said, ClOrdID.FIELD, requestId),
                within);
        if (FixMessages.isReject(answer) || isRefused(answer)) {
            throw new UnsupportedException("The broker did not cancel all orders: " + FixMessages.words(answer));
        }
        Map<String, CancelVenueOrderOutcome> outcomes = new HashMap<>();
        covered.forEach(order -> order.getOptionalString(OrderID.FIELD)
                .ifPresent(id -> outcomes.put(id, CancelVenueOrderOutcome.REQUESTED)));
        return outcomes;
    }

    private static boolean isRefused(Message report) {
        return FixMessages.has(
                report,
                MassCancelResponse.FIELD,
                MassCancelResponse.CANCEL_REQUEST_REJECTED_SEE_MASSCANCELREJECTREASON);
    }
}
