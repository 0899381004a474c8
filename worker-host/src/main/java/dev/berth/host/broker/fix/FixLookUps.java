package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.UnsupportedException;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.ExecType;
import quickfix.field.LastRptRequested;
import quickfix.field.MassStatusReqID;
import quickfix.field.OrdStatusReqID;
import quickfix.field.OrderID;
import quickfix.field.TotNumReports;

/** Questions about orders: one by its id (35=H), and all that work (35=AF). */
record FixLookUps(
        FixCalls calls,
        FixRequests requests,
        FixKnownOrders known,
        FixJournal journal,
        FixSettings settings,
        Duration limit) {

    /**
     * The order with this id.
     *
     * @return empty when the counterparty says that it has none
     * @throws IOException for every other answer, and for none
     */
    Optional<FixOrderReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return find(id, null);
    }

    /**
     * The same, named by the counterparty's id, too.
     *
     * @param orderId null when that is not known
     */
    Optional<FixOrderReport> find(VenueClientOrderId id, @Nullable String orderId)
            throws IOException, InterruptedException {
        String requestId = calls.newId("status");
        Message question = requests.status(id, requestId, known.instrument(id));
        if (orderId != null) {
            question.setString(OrderID.FIELD, orderId);
        }
        Message answer = calls.ask(question, requestId, said -> isAnswer(said, id, requestId), limit);
        if (FixMessages.isReject(answer)) {
            throw new IOException("the broker does not answer: " + FixMessages.words(answer));
        }
        if (FixReports.isAbsent(answer)) {
            return Optional.empty();
        }
        return Optional.of(FixReports.require(answer, id, requests.epoch()));
    }

    /** One that was sent before, or is part of a list, is about another question. */
    private static boolean isAnswer(Message said, VenueClientOrderId id, String requestId) {
        if (!FixReports.isReport(said) || FixMessages.isRepeated(said) || said.isSetField(MassStatusReqID.FIELD)) {
            return false;
        }
        return said.isSetField(OrdStatusReqID.FIELD)
                ? FixMessages.has(said, OrdStatusReqID.FIELD, requestId)
                : FixMessages.has(said, ClOrdID.FIELD, id.toString())
                        && (FixReports.isRejection(said)
                                || FixMessages.has(said, ExecType.FIELD, ExecType.ORDER_STATUS));
    }

    /** FIX has no question for executions: these are what was reported. */
    ExecutionReport withExecutions(FixOrderReport found) throws IOException {
        ExecutionReport report = found.report();
        return report.filledQuantity().isPositive()
                ? report.withExecutions(known.executions(found.id(), journal.executions(found.id())))
                : report;
    }

    /**
     * The last reports of all orders that work, made here or elsewhere.
     *
     * @throws UnsupportedException when the counterparty does not list them
     */
    List<Message> working() throws IOException, InterruptedException {
        if (!settings.massStatus()) {
            throw new UnsupportedException("The broker does not list the orders that work.");
        }
        String requestId = calls.newId("mass");
        List<Message> answers =
                calls.execute(requests.massStatus(requestId), requestId, new Listing(requestId), limit, FixCalls.OPEN);
        if (answers.stream().anyMatch(FixMessages::isReject)) {
            throw new UnsupportedException(
                    "The broker does not list the orders that work: " + FixMessages.words(answers.getLast()));
        }
        return answers.stream().filter(FixLookUps::isOrder).toList();
    }

    private static boolean isOrder(Message report) {
        return report.getOptionalString(OrderID.FIELD)
                        .filter(id -> !id.equals(FixReports.NO_ORDER))
                        .isPresent()
                && !FixReports.isAbsent(report);
    }

    /** Without orders, one report says so. */
    private record Listing(String requestId) implements FixCall.Answers {
        @Override
        public boolean has(Message message) {
            return FixReports.isReport(message) && FixMessages.has(message, MassStatusReqID.FIELD, requestId);
        }

        @Override
        public boolean isLast(Message message, int count) {
            return FixMessages.has(message, LastRptRequested.FIELD, "Y")
                    || message.getOptionalString(TotNumReports.FIELD)
                            .filter(total -> total.matches("\\d{1,9}") && Integer.parseInt(total) <= count)
                            .isPresent()
                    || FixReports.isAbsent(message);
        }
    }
}
