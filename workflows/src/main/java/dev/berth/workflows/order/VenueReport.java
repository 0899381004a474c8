package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the venue says of an order at one moment, under one of its venue ids. Quantities are totals, not steps.
 *
 * @param leg 0 for the order as it was submitted, n for its nth replacement
 * @param quantity what may be filled under this venue id alone; absent when the venue does not say
 * @param venueStatus the venue's own word
 * @param venueOrderId absent when the venue refused the order before it gave it an id
 * @param filledQuantity under this venue id alone
 * @param averagePrice of that
 * @param reason present when the venue said no
 * @param updatedAt when it came to be so, by the venue's clock; absent when the venue does not say
 * @param executions that this report tells of, in any order and perhaps again
 * @param at when the worker had the answer
 * @param epoch of the worker that asked
 */
public record VenueReport(
        int leg,
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
        long epoch) {

    public VenueReport {
        executions = List.copyOf(executions);
    }

    /** Whether the venue took an execution back. */
    public boolean tellsOfBust() {
        return executions.stream().anyMatch(Execution::busted);
    }

    /** Whether the venue will not trade under this id, and has not. */
    boolean isRejectedUnfilled() {
        return status == OrderStatus.REJECTED && !filledQuantity.isPositive();
    }

    /** The same, telling of these executions. */
    public VenueReport with(List<Execution> told) {
        return new VenueReport(
                leg,
                quantity,
                status,
                venueStatus,
                venueOrderId,
                filledQuantity,
                averagePrice,
                reason,
                updatedAt,
                told,
                at,
                epoch);
    }
}
