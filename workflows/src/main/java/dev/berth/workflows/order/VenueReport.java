package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the venue says of an order at one moment. Quantities are totals, not steps.
 *
 * @param venueStatus the venue's own word
 * @param venueOrderId absent when the venue refused the order before it gave it an id
 * @param reason present when the venue said no
 * @param at when the worker had the answer
 * @param epoch of the worker that asked
 */
public record VenueReport(
        OrderStatus status,
        String venueStatus,
        @Nullable String venueOrderId,
        Decimal filledQuantity,
        @Nullable Decimal averagePrice,
        @Nullable Reason reason,
        Instant at,
        long epoch) {}
