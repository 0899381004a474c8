package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An order as its user sees it. Quantities and prices are decimal strings, and the latest requested
 * ones after replacements.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record OrderView(
        String clientOrderId,
        OrderStatus status,
        @Nullable String reason,
        String filledQuantity,
        @Nullable String averagePrice,
        @Nullable String venueOrderId,
        @Nullable String venueStatus,
        Instant submittedAt,
        @Nullable Instant dispatchedAt,
        @Nullable Instant acknowledgedAt,
        @Nullable Instant finalAt,
        int attempts,
        @Nullable Long workerEpoch,
        AccountKey account,
        String symbol,
        Side side,
        OrderType type,
        String quantity,
        @Nullable String limitPrice,
        @Nullable String stopPrice,
        TimeInForce timeInForce,
        int priority,
        String dispatchWithin,
        @Nullable String traceId) {

    /** As its user sees it. */
    public static OrderView of(OrderState order) {
        OrderRequest request = order.request();
        OrderTerms terms = order.terms();
        return new OrderView(
                request.clientOrderId().value(),
                order.status(),
                text(order.reason()),
                order.filledQuantity().toString(),
                text(order.averagePrice()),
                order.venueOrderId(),
                order.venueStatus(),
                request.submittedAt(),
                order.dispatchedAt(),
                order.acknowledgedAt(),
                order.finalAt(),
                order.attempts(),
                order.workerEpoch(),
                request.account(),
                request.symbol(),
                request.side(),
                request.type(),
                terms.quantity().toString(),
                text(terms.limitPrice()),
                text(terms.stopPrice()),
                request.timeInForce(),
                request.priority(),
                request.dispatchWithin().toString(),
                request.trace() == null ? null : request.trace().traceId());
    }

    private static @Nullable String text(@Nullable Object value) {
        return Objects.toString(value, null);
    }
}
