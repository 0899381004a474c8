package dev.berth.workflows.remote;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution report as a customer's machine sends it.
 *
 * @param clientOrderId of the order version
 * @param status one that a venue can report
 * @param venueStatus in the broker's own words
 * @param quantity of this version alone; absent when the broker does not report it
 * @param reason present when the broker refused
 */
public record RemoteReport(
        String clientOrderId,
        OrderStatus status,
        String venueStatus,
        @Nullable String venueOrderId,
        @Nullable Decimal quantity,
        Decimal filledQuantity,
        @Nullable Decimal averagePrice,
        @Nullable Refusal reason,
        @Nullable Instant updatedAt,
        List<ReportedExecution> executions) {
    private static final int LONGEST = 256;

    /** Why the broker refused. */
    public record Refusal(String code, String text) {}

    /**
     * One execution of this version, or the bust of one.
     *
     * @param fee absent when the broker does not tell it with the execution
     */
    public record ReportedExecution(
            String executionId,
            Decimal quantity,
            Decimal price,
            Instant at,
            boolean busted,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ExecutionFee fee) {
        public ReportedExecution {
            requireShort(executionId);
        }
    }

    public RemoteReport {
        executions = List.copyOf(executions);
        requireShort(clientOrderId);
        requireShort(venueStatus);
        if (!status.isAtVenue()) {
            throw new IllegalArgumentException(status + " is no status of a venue");
        }
        if (venueOrderId != null) {
            requireShort(venueOrderId);
        }
    }

    private static void requireShort(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a text is longer than " + LONGEST + " characters");
        }
    }

    /**
     * The order version that it is of.
     *
     * @throws IllegalArgumentException when the id is of another form, such as that of an order
     *     placed by hand
     */
    public VenueClientOrderId version() {
        return VenueClientOrderId.parse(clientOrderId);
    }

    /**
     * As the order's workflow reads it.
     *
     * @param epoch of the user's worker
     * @param at when it came
     */
    public ExecutionReport toExecutionReport(long epoch, Instant at) {
        int number = version().version();
        return new ExecutionReport(
                number,
                quantity,
                status,
                venueStatus,
                venueOrderId,
                filledQuantity,
                averagePrice,
                reason == null ? null : new Reason(Reason.Category.BROKER, reason.code(), reason.text()),
                updatedAt,
                executions.stream()
                        .map(execution -> new Execution(
                                execution.executionId(),
                                number,
                                execution.quantity(),
                                execution.price(),
                                execution.at(),
                                execution.busted(),
                                execution.fee(),
                                null))
                        .toList(),
                at,
                epoch);
    }
}
