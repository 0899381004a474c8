package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.PlainText;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order at its venue at one moment (FIX 35=8), under one of its venue ids. Quantities are
 * totals, not steps.
 *
 * @param version 0 for the order as it was submitted, n for its nth replacement
 * @param quantity what may be filled under this venue id alone; absent when the venue does not
 *     report it
 * @param venueStatus in the venue's own terms
 * @param venueOrderId absent when the venue refused the order before it gave it an id
 * @param filledQuantity under this venue id alone
 * @param averagePrice of that
 * @param reason present when the venue refused the order, or to cancel it
 * @param updatedAt when the order changed to this, by the venue's clock; absent when the venue does
 *     not report it
 * @param executions of this report, in any order and perhaps repeated
 * @param at when the worker had the answer
 * @param epoch of the worker that asked
 */
@RecordBuilder
public record ExecutionReport(
        int version,
        @Nullable Decimal quantity,
        OrderStatus status,
        String venueStatus,
        @Nullable String venueOrderId,
        Decimal filledQuantity,
        @Nullable Decimal averagePrice,
        @Nullable Reason reason,
        @Nullable Instant updatedAt,
        List<Execution> executions,
        Instant at,
        long epoch)
        implements ExecutionReportBuilder.With {

    /** The longest status in the venue's own terms, in characters. */
    private static final int MAX_STATUS = 256;

    /** The venue chooses words of it, and they are shown on terminals. */
    public ExecutionReport {
        if (!status.isAtVenue()) {
            throw new IllegalArgumentException("a venue does not report " + status);
        }
        venueStatus = PlainText.line(venueStatus, MAX_STATUS);
        venueOrderId = venueOrderId == null ? null : PlainText.line(venueOrderId);
        executions = List.copyOf(executions);
    }

    /** Without fills; the worker of this epoch had it at this time. */
    public static ExecutionReport unfilled(
            int version, OrderStatus status, String venueStatus, Instant at, long epoch) {
        return new ExecutionReport(
                version, null, status, venueStatus, null, Decimal.ZERO, null, null, null, List.of(), at, epoch);
    }

    public ExecutionReport withFilled(Decimal total, @Nullable Decimal average) {
        return withFilledQuantity(total).withAveragePrice(average);
    }

    /** Whether the other report of this order has nothing that this one lacks. */
    public boolean includes(ExecutionReport other) {
        return version == other.version
                && status == other.status
                && venueStatus.equals(other.venueStatus)
                && filledQuantity.equals(other.filledQuantity)
                && executions.containsAll(other.executions);
    }

    /** The executions, each with the venue's id of the order, for the ledger. */
    public List<Execution> executionsOfVenueOrder() {
        return executions.stream()
                .map(execution -> execution.under(venueOrderId))
                .toList();
    }

    /** Whether the report has a bust. */
    public boolean reportsBust() {
        return executions.stream().anyMatch(Execution::busted);
    }

    /** Whether the venue refused to cancel the order, which is as it was. */
    boolean refusesCancel() {
        return FailureCode.NOT_CANCELED.isOf(reason);
    }

    /** Whether the venue will not trade under this id, and has not. */
    boolean isRejectedUnfilled() {
        return status == OrderStatus.REJECTED && !filledQuantity.isPositive();
    }
}
