package dev.berth.workflows.account;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open order of an account, made here or elsewhere, as its venue reports it.
 *
 * @param clientOrderId the venue's, which ends in {@code .r1} for a first replacement; null when
 *     the venue has none
 * @param side the venue's word, such as {@code buy}; so are type and time in force
 * @param quantity null for an order by amount
 * @param venueStatus the venue's own word
 * @param parentOrderId the venue's id of the order whose exit this is; null for any other
 * @param role what it is to its parent, such as {@code take-profit}; null without a parent
 */
public record AccountOrder(
        String venueOrderId,
        @Nullable String clientOrderId,
        String symbol,
        String side,
        String type,
        String timeInForce,
        @Nullable Decimal quantity,
        Decimal filledQuantity,
        @Nullable Decimal limitPrice,
        @Nullable Decimal stopPrice,
        @Nullable Decimal averagePrice,
        OrderStatus status,
        String venueStatus,
        @Nullable Instant submittedAt,
        @Nullable String parentOrderId,
        @Nullable String role) {}
