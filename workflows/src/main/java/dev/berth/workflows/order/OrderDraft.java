package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order's next state while it is being made: what is not touched stays. */
final class OrderDraft {
    private final OrderState from;
    OrderRequest request;
    OrderStatus status;

    @Nullable
    String venueStatus;

    @Nullable
    Reason reason;

    Decimal filledQuantity;

    @Nullable
    Decimal averagePrice;

    @Nullable
    String venueOrderId;

    @Nullable
    Instant dispatchedAt;

    @Nullable
    Instant acknowledgedAt;

    @Nullable
    Instant finalAt;

    int attempts;

    @Nullable
    Long workerEpoch;

    final List<Leg> legs;
    int replaces;

    OrderDraft(OrderState from) {
        this.from = from;
        this.request = from.request();
        this.status = from.status();
        this.venueStatus = from.venueStatus();
        this.reason = from.reason();
        this.filledQuantity = from.filledQuantity();
        this.averagePrice = from.averagePrice();
        this.venueOrderId = from.venueOrderId();
        this.dispatchedAt = from.dispatchedAt();
        this.acknowledgedAt = from.acknowledgedAt();
        this.finalAt = from.finalAt();
        this.attempts = from.attempts();
        this.workerEpoch = from.workerEpoch();
        this.legs = new ArrayList<>(from.legs());
        this.replaces = from.replaces();
    }

    /** Quantity and average price of all legs together. */
    void addUp() {
        BigDecimal filled = BigDecimal.ZERO;
        BigDecimal cost = BigDecimal.ZERO;
        for (Leg leg : legs) {
            filled = filled.add(leg.filled().value());
            if (leg.averagePrice() != null) {
                cost = cost.add(leg.filled().value().multiply(leg.averagePrice().value()));
            }
        }
        filledQuantity = new Decimal(filled);
        averagePrice = filled.signum() != 0 && legs.size() == 1
                ? legs.getFirst().averagePrice()
                : Decimal.average(cost, filled);
    }

    /** A new leg has no fills of its own, but the order may have. */
    OrderStatus ofTheWhole(OrderStatus told) {
        return told == OrderStatus.NEW && filledQuantity.isPositive() ? OrderStatus.PARTIALLY_FILLED : told;
    }

    /** What was drafted, as a step of its own. */
    OrderState step(Instant at) {
        return state(from.revision() + 1, at);
    }

    /** What was drafted, as part of the step before. */
    OrderState state() {
        return state(from.revision(), from.changedAt());
    }

    /** That an execution was taken back stays said until something else is. */
    private @Nullable Reason reason() {
        return reason == null && FailureCode.BUST.isOf(from.reason()) ? from.reason() : reason;
    }

    private OrderState state(int revision, Instant changedAt) {
        return new OrderState(
                request,
                status,
                venueStatus,
                reason(),
                filledQuantity,
                averagePrice,
                venueOrderId,
                dispatchedAt,
                acknowledgedAt,
                finalAt,
                attempts,
                workerEpoch,
                legs,
                replaces,
                revision,
                changedAt);
    }
}
