package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order as it is now: the input, the state and the result of its workflow.
 *
 * @param attempts how often it was handed to a worker
 * @param workerEpoch of the worker that had the venue's last answer
 * @param revision grows by one with every step, so that a step written twice counts once
 * @param changedAt when the last step happened
 */
public record OrderState(
        OrderRequest request,
        OrderStatus status,
        @Nullable String venueStatus,
        @Nullable Reason reason,
        Decimal filledQuantity,
        @Nullable Decimal averagePrice,
        @Nullable String venueOrderId,
        @Nullable Instant dispatchedAt,
        @Nullable Instant acknowledgedAt,
        @Nullable Instant finalAt,
        int attempts,
        @Nullable Long workerEpoch,
        int revision,
        Instant changedAt) {

    public static OrderState accepted(OrderRequest request) {
        return new OrderState(
                request,
                OrderStatus.PENDING,
                null,
                null,
                Decimal.ZERO,
                null,
                null,
                null,
                null,
                null,
                0,
                null,
                0,
                request.submittedAt());
    }

    /** Handed to the user's queue once more. */
    public OrderState attempted(Instant at) {
        return new OrderState(
                request,
                OrderStatus.PENDING,
                venueStatus,
                reason,
                filledQuantity,
                averagePrice,
                venueOrderId,
                dispatchedAt,
                acknowledgedAt,
                finalAt,
                attempts + 1,
                workerEpoch,
                revision + 1,
                at);
    }

    /** A worker took it at {@code since}; what the venue said meanwhile stands. */
    public OrderState dispatched(Instant since) {
        return new OrderState(
                request,
                status == OrderStatus.PENDING ? OrderStatus.DISPATCHED : status,
                venueStatus,
                reason,
                filledQuantity,
                averagePrice,
                venueOrderId,
                since,
                acknowledgedAt,
                finalAt,
                attempts,
                workerEpoch,
                revision,
                changedAt);
    }

    /** Moves on without a word from the venue. An order in a final state stays as it is. */
    public OrderState became(OrderStatus next, @Nullable Reason why, Instant at) {
        if (status.isFinal()) {
            return this;
        }
        return new OrderState(
                request,
                next,
                venueStatus,
                why,
                filledQuantity,
                averagePrice,
                venueOrderId,
                dispatchedAt,
                acknowledgedAt,
                next.isFinal() ? at : null,
                attempts,
                workerEpoch,
                revision + 1,
                at);
    }

    /** Takes the venue's word. What is older than the state, or says nothing new, changes nothing. */
    public OrderState reported(VenueReport report) {
        int fills = report.filledQuantity().compareTo(filledQuantity);
        if (status.isFinal() || fills < 0 || (fills == 0 && report.status() == status)) {
            return this;
        }
        return new OrderState(
                request,
                report.status(),
                report.venueStatus(),
                report.reason(),
                report.filledQuantity(),
                report.averagePrice() == null ? averagePrice : report.averagePrice(),
                report.venueOrderId() == null ? venueOrderId : report.venueOrderId(),
                dispatchedAt,
                acknowledgedAt == null ? report.at() : acknowledgedAt,
                report.status().isFinal() ? report.at() : null,
                attempts,
                report.epoch(),
                revision + 1,
                report.at());
    }

    /** The same, after so many attempts: a worker that tells what the venue said knows of its own only. */
    public OrderState after(int allAttempts) {
        return new OrderState(
                request,
                status,
                venueStatus,
                reason,
                filledQuantity,
                averagePrice,
                venueOrderId,
                dispatchedAt,
                acknowledgedAt,
                finalAt,
                allAttempts,
                workerEpoch,
                revision,
                changedAt);
    }

    /** One line for the operator who opens the workflow. */
    public String details() {
        StringBuilder line = new StringBuilder(
                "**%s** %s of %s %s filled".formatted(status, filledQuantity, request.quantity(), request.symbol()));
        if (averagePrice != null) {
            line.append(" at ").append(averagePrice);
        }
        if (reason != null) {
            line.append("; ").append(reason);
        }
        if (venueOrderId != null) {
            line.append("; venue order ").append(venueOrderId);
        }
        if (workerEpoch != null) {
            line.append("; worker epoch ").append(workerEpoch);
        }
        return line.append("; attempts ").append(attempts).toString();
    }
}
