package dev.berth.host.broker;

import dev.berth.host.broker.venueid.ListedOrder;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.Side;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports from the fields of a line: kind, number, then the order's. */
final class LineReports {
    private static final int CLIENT_ID = 2;
    private static final int VENUE_ID = 3;
    private static final int SIDE = 4;
    private static final int SYMBOL = 5;
    private static final int QUANTITY = 6;
    private static final int LIMIT = 7;
    private static final int STATUS = 8;
    private static final int UPDATED_AT = 9;
    private static final int FILLS = 10;
    private static final int EVENT_FILL = 11;
    private static final int EVENT_CORRECTED = 12;

    private LineReports() {}

    static VenueClientOrderId id(String[] fields) {
        return VenueClientOrderId.parse(fields[CLIENT_ID]);
    }

    static boolean isSame(OrderRequest order, String[] fields) {
        return order.side().name().equals(fields[SIDE])
                && order.symbol().equals(fields[SYMBOL])
                && order.quantity().equals(Decimal.of(fields[QUANTITY]))
                && (order.limitPrice() == null) == fields[LIMIT].isEmpty();
    }

    static ExecutionReport order(String[] fields, long epoch) {
        return withFills(fields, epoch).withExecutions(List.of());
    }

    static ExecutionReport withFills(String[] fields, long epoch) {
        return withFills(fields, id(fields).version(), epoch);
    }

    private static ExecutionReport withFills(String[] fields, int version, long epoch) {
        List<Execution> fills = fills(fields[FILLS], version);
        BigDecimal filled = Execution.total(fills);
        return new ExecutionReport(
                version,
                Decimal.of(fields[QUANTITY]),
                status(fields[STATUS]),
                fields[STATUS],
                fields[VENUE_ID],
                new Decimal(filled),
                average(fills, filled),
                null,
                Instant.parse(fields[UPDATED_AT]),
                fills,
                Instant.now(),
                epoch);
    }

    /** With the fill of this event alone, and the one that it corrects. */
    static ExecutionReport event(String[] fields, long epoch) {
        return event(fields, id(fields).version(), epoch);
    }

    private static ExecutionReport event(String[] fields, int version, long epoch) {
        List<Execution> executions = Stream.concat(
                        fills(fields[EVENT_CORRECTED], version).stream().map(LineReports::bust),
                        fills(fields[EVENT_FILL], version).stream())
                .toList();
        return withFills(fields, version, epoch).withExecutions(executions);
    }

    /** An order of a broker that shows no client order ids; with all fills. */
    static ListedOrder venueOrder(String[] fields, long epoch) {
        return venueOrder(fields, withFills(fields, 0, epoch));
    }

    /** The same, of an event. */
    static ListedOrder changedOrder(String[] fields, long epoch) {
        return venueOrder(fields, event(fields, 0, epoch));
    }

    private static ListedOrder venueOrder(String[] fields, ExecutionReport report) {
        String[] label = fields[CLIENT_ID].split("@", -1);
        return new ListedOrder(
                fields[VENUE_ID],
                label[0].isEmpty() ? null : label[0],
                fields[SYMBOL],
                Side.valueOf(fields[SIDE]),
                new OrderTerms(
                        Decimal.of(fields[QUANTITY]), fields[LIMIT].isEmpty() ? null : Decimal.of(fields[LIMIT]), null),
                Instant.parse(label[1]),
                report);
    }

    private static Execution bust(Execution fill) {
        return new Execution(fill.executionId(), fill.version(), fill.quantity(), fill.price(), fill.at(), true);
    }

    private static List<Execution> fills(String text, int version) {
        return Stream.of(text.split(";"))
                .filter(fill -> !fill.isEmpty())
                .map(fill -> fill.split(","))
                .map(fill -> new Execution(
                        fill[0], version, Decimal.of(fill[1]), Decimal.of(fill[2]), Instant.parse(fill[3]), false))
                .toList();
    }

    private static @Nullable Decimal average(List<Execution> fills, BigDecimal filled) {
        return filled.signum() == 0
                ? null
                : Decimal.rounded(fills.stream()
                        .map(fill ->
                                fill.quantity().value().multiply(fill.price().value()))
                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                        .divide(filled, MathContext.DECIMAL64));
    }

    private static OrderStatus status(String status) {
        return status.equals("replaced")
                ? OrderStatus.PENDING_REPLACE
                : OrderStatus.valueOf(status.toUpperCase(Locale.ROOT));
    }

    static Reason refused(String text) {
        return new Reason(Reason.Category.BROKER, "refused", text);
    }

    static ExecutionReport cancelRefused(ExecutionReport order, String text) {
        return order.withReason(FailureCode.NOT_CANCELED.because(text));
    }

    static ExecutionReport rejected(Reason reason, long epoch) {
        return new ExecutionReport(
                0,
                null,
                OrderStatus.REJECTED,
                "rejected",
                null,
                Decimal.ZERO,
                null,
                reason,
                null,
                List.of(),
                Instant.now(),
                epoch);
    }
}
