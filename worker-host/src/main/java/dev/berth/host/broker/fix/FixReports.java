package dev.berth.host.broker.fix;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.FieldException;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.AvgPx;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.ExecRefID;
import quickfix.field.ExecType;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.MassStatusReqID;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrdStatusReqID;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.TransactTime;

/** FIX 35=8 as {@link ExecutionReport}. */
final class FixReports {
    private static final Logger LOG = LoggerFactory.getLogger(FixReports.class);
    /** FIX's OrderID where there is no order. */
    static final String NO_ORDER = "NONE";

    private FixReports() {}

    static boolean isReport(Message message) {
        return FixMessages.is(message, MsgType.EXECUTION_REPORT);
    }

    /** Whether it answers a question, and not what was done to an order. */
    static boolean answersQuestion(Message report) {
        return FixMessages.has(report, ExecType.FIELD, ExecType.ORDER_STATUS)
                || report.isSetField(OrdStatusReqID.FIELD)
                || report.isSetField(MassStatusReqID.FIELD);
    }

    /** A refusal, of an order or of a question. */
    static boolean isRejection(Message report) {
        return FixMessages.has(report, ExecType.FIELD, ExecType.REJECTED);
    }

    /**
     * Whether the answer to a question about an order says that there is none. A refusal for
     * another reason says nothing about the order.
     */
    static boolean isAbsent(Message answer) {
        boolean isRejected = FixMessages.has(answer, OrdStatus.FIELD, OrdStatus.REJECTED);
        return FixMessages.has(answer, OrdRejReason.FIELD, OrdRejReason.UNKNOWN_ORDER)
                || (isRejected && FixMessages.has(answer, OrdRejReason.FIELD, OrdRejReason.OTHER))
                // The order was refused when it came.
                || (isRejected && FixMessages.has(answer, ExecType.FIELD, ExecType.ORDER_STATUS));
    }

    /** Empty for what is no report of an order that Berth could have made, or cannot be read. */
    static Optional<FixOrderReport> read(Message message, long epoch) {
        if (!isReport(message) || isRejection(message)) {
            return Optional.empty();
        }
        Optional<VenueClientOrderId> id = id(message);
        try {
            return id.map(known -> read(message, known, epoch));
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("a report of {} cannot be read: {}", id.orElseThrow(), unreadable.getMessage());
            return Optional.empty();
        }
    }

    /** A replacement that is pending has its own id, though the order still has the former one. */
    private static Optional<VenueClientOrderId> id(Message message) {
        return FixMessages.has(message, ExecType.FIELD, ExecType.PENDING_REPLACE)
                ? FixMessages.id(message, OrigClOrdID.FIELD).or(() -> FixMessages.id(message))
                : FixMessages.id(message);
    }

    /** @throws IOException when it is no report of that order */
    static FixOrderReport require(Message message, VenueClientOrderId id, long epoch) throws IOException {
        return read(message, epoch)
                .filter(report -> report.id().equals(id))
                .orElseThrow(() -> new IOException("the broker's answer is not order " + id));
    }

    private static FixOrderReport read(Message message, VenueClientOrderId id, long epoch) {
        boolean replaces = FixMessages.has(message, ExecType.FIELD, ExecType.REPLACED);
        char code = FixMessages.text(message, OrdStatus.FIELD).charAt(0);
        Decimal filled = new Decimal(FixMessages.decimal(message, CumQty.FIELD));
        ExecutionReport report = new ExecutionReport(
                id.version(),
                message.isSetField(OrderQty.FIELD) ? new Decimal(FixMessages.decimal(message, OrderQty.FIELD)) : null,
                FixStatus.of(code, replaces, filled),
                FixStatus.word(code, replaces),
                message.getOptionalString(OrderID.FIELD)
                        .filter(known -> !known.equals(NO_ORDER))
                        .orElse(null),
                filled,
                filled.isPositive() ? price(message) : null,
                null,
                time(message),
                executions(message, id.version()),
                Instant.now(),
                epoch);
        VenueClientOrderId replaced =
                replaces ? FixMessages.id(message, OrigClOrdID.FIELD).orElse(null) : null;
        return new FixOrderReport(id, report, replaced, message);
    }

    private static @Nullable Decimal price(Message message) {
        BigDecimal average = FixMessages.decimal(message, AvgPx.FIELD);
        return average.signum() > 0 ? Decimal.rounded(average) : null;
    }

    private static @Nullable Instant time(Message message) {
        try {
            return message.isSetField(TransactTime.FIELD)
                    ? message.getUtcTimeStamp(TransactTime.FIELD).toInstant(ZoneOffset.UTC)
                    : null;
        } catch (FieldNotFound | FieldException noTime) {
            throw new IllegalArgumentException("TransactTime is no time", noTime);
        }
    }

    private static List<Execution> executions(Message message, int version) {
        return switch (FixMessages.text(message, ExecType.FIELD).charAt(0)) {
            case ExecType.TRADE -> List.of(execution(message, ExecID.FIELD, version, false));
            case ExecType.TRADE_CORRECT ->
                List.of(
                        execution(message, ExecRefID.FIELD, version, true),
                        execution(message, ExecID.FIELD, version, false));
            case ExecType.TRADE_CANCEL -> List.of(execution(message, ExecRefID.FIELD, version, true));
            default -> List.of();
        };
    }

    /** A bust need not repeat what it busts. */
    private static Execution execution(Message message, int idTag, int version, boolean busted) {
        boolean isWithoutPrice = busted && !message.isSetField(LastPx.FIELD);
        return new Execution(
                FixMessages.text(message, idTag),
                version,
                isWithoutPrice ? Decimal.ZERO : new Decimal(FixMessages.decimal(message, LastQty.FIELD)),
                isWithoutPrice ? Decimal.ZERO : new Decimal(FixMessages.decimal(message, LastPx.FIELD)),
                Optional.ofNullable(time(message)).orElseGet(Instant::now),
                busted,
                FixFees.of(message),
                null);
    }

    /** The order was refused; {@code report} says why. */
    static ExecutionReport rejected(Message report, long epoch) {
        String words = FixMessages.words(report);
        String code = report.getOptionalString(OrdRejReason.FIELD).orElse("0");
        return rejected(
                new Reason(
                        Reason.Category.BROKER,
                        "refused-" + code.replaceAll("[^0-9]", ""),
                        words.isBlank() ? "The broker refused the order and gave no reason." : words),
                epoch);
    }

    /** The id belongs to an order with other terms, so this one was not accepted. */
    static ExecutionReport duplicateOfAnother(long epoch) {
        return rejected(
                FailureCode.DUPLICATE_ID.because("The broker has another order with this id, which this one did not"
                        + " make. Look there, and submit this one under another id."),
                epoch);
    }

    private static ExecutionReport rejected(Reason reason, long epoch) {
        return ExecutionReport.unfilled(0, OrderStatus.REJECTED, "rejected", Instant.now(), epoch)
                .withReason(reason);
    }

    /** The text for a cancel or a replacement that the broker refused. */
    static String refusal(Message refusal) {
        String words = FixMessages.words(refusal);
        return "The broker refused: " + (words.isBlank() ? "it gave no reason" : words) + ".";
    }

    static boolean isReplaced(ExecutionReport report) {
        return OrderPolicies.REPLACED.equals(report.venueStatus());
    }
}
