package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.berth.workflows.Decimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order as it is now: the input, the state and the result of its workflow.
 *
 * @param filledQuantity of all legs together
 * @param averagePrice of that
 * @param venueOrderId of the newest leg that the venue told of
 * @param attempts how often it was handed to a worker
 * @param workerEpoch of the worker that had the venue's last answer
 * @param legs oldest first, never empty; the last is the one that works at the venue
 * @param replaces how often a replacement was tried; each took a number of its own
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
        List<Leg> legs,
        int replaces,
        int revision,
        Instant changedAt) {

    public OrderState {
        legs = List.copyOf(legs);
    }

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
                List.of(Leg.first(Terms.of(request))),
                0,
                0,
                request.submittedAt());
    }

    /** Handed to the user's queue once more. */
    public OrderState attempted(Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.PENDING;
        next.attempts++;
        return next.step(at);
    }

    /** A worker took it at {@code since}; what the venue said meanwhile stands. */
    public OrderState dispatched(Instant since) {
        OrderDraft next = new OrderDraft(this);
        next.status = status == OrderStatus.PENDING ? OrderStatus.DISPATCHED : status;
        next.dispatchedAt = since;
        return next.state();
    }

    /** Moves on without a word from the venue. A move that is not allowed leaves the order as it is. */
    public OrderState became(OrderStatus to, @Nullable Reason why, Instant at) {
        if (!OrderMoves.allowed(status, to)) {
            return this;
        }
        OrderDraft next = new OrderDraft(this);
        next.status = to;
        next.reason = why;
        next.finalAt = to.isFinal() ? at : null;
        return next.step(at);
    }

    /** Works under the same terms, and what was wanted of it is not done; why is said. Null: there is nothing to say. */
    public OrderState noted(@Nullable Reason why, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.reason = why;
        return next.step(at);
    }

    /** Before the venue has it, other terms cost nothing. */
    public OrderState wanting(Terms terms, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.legs.set(next.legs.size() - 1, leg().with(terms));
        return next.step(at);
    }

    /** A replacement is on its way to the venue. */
    public OrderState replacing(Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.PENDING_REPLACE;
        next.replaces++;
        return next.step(at);
    }

    /** The venue has the order under its next id: what the leg before filled stays filled. */
    public OrderState replaced(Terms terms, VenueReport before, VenueReport report) {
        OrderDraft next = new OrderDraft(reported(before));
        next.legs.add(new Leg(report.leg(), terms, Decimal.ZERO, null, null));
        next.status = OrderStatus.PENDING_REPLACE;
        next.finalAt = null;
        return next.state().reported(report);
    }

    /** Whether the venue took the newest replacement, and rejected it later: the leg before it is what there is. */
    boolean isRejectedReplacement(VenueReport report) {
        return !status.isFinal() && legs.size() > 1 && report.leg() == leg().number() && report.isRejectedUnfilled();
    }

    /** Without the newest leg. How the one before it is now, the venue has to be asked. */
    public OrderState withoutReplacement(Reason why, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.legs.removeLast();
        next.status = status == OrderStatus.PENDING_CANCEL ? status : OrderStatus.PENDING_REPLACE;
        next.reason = why;
        return next.step(at);
    }

    /**
     * Takes the venue's word. What is older than the state, or says nothing new, changes nothing. A leg that was
     * replaced may still bring fills; only the newest one moves the status.
     */
    public OrderState reported(VenueReport report) {
        int index = indexOf(report.leg());
        if (status.isFinal() || index < 0 || !legs.get(index).isNews(report)) {
            return this;
        }
        OrderDraft next = new OrderDraft(this);
        next.legs.set(index, legs.get(index).after(report));
        next.addUp();
        if (index == legs.size() - 1) {
            OrderStatus to = next.ofTheWhole(report.status());
            if (to != status && !OrderMoves.allowed(status, to)) {
                return this;
            }
            next.status = to;
            next.venueStatus = report.venueStatus();
            next.reason = report.reason();
            next.venueOrderId = report.venueOrderId() == null ? venueOrderId : report.venueOrderId();
            next.finalAt = to.isFinal() ? report.at() : null;
        }
        if (next.status == status && next.filledQuantity.equals(filledQuantity)) {
            return this;
        }
        next.acknowledgedAt = acknowledgedAt == null ? report.at() : acknowledgedAt;
        next.workerEpoch = report.epoch();
        return next.step(report.at());
    }

    /**
     * An order that was over, put right by what the venue says of one of its legs. One that is not known here, such as a
     * replacement that was taken for lost, counts from now on.
     */
    public OrderState corrected(VenueReport report, Reason why) {
        OrderDraft next = new OrderDraft(this);
        int index = indexOf(report.leg());
        if (index < 0) {
            next.legs.add(new Leg(report.leg(), terms(), Decimal.ZERO, null, null).after(report));
            next.legs.sort(Comparator.comparingInt(Leg::number));
        } else if (legs.get(index).isNews(report)) {
            next.legs.set(index, legs.get(index).after(report));
        }
        next.addUp();
        next.reason = why;
        return next.step(report.at());
    }

    /** Whether the venue has what was taken for lost when the order ended: the order, or a replacement of it. */
    public boolean isMissedAt(VenueReport report) {
        return (status == OrderStatus.CANCELED || status == OrderStatus.FAILED)
                && !report.status().isFinal()
                && !FailureCode.LATE_ARRIVAL.isOf(reason)
                && (acknowledgedAt == null || indexOf(report.leg()) < 0);
    }

    /** The venue has it after all. Whoever was told that it is over is told the truth once it is canceled there, too. */
    public OrderState arrivedLate(VenueReport report) {
        OrderDraft next = new OrderDraft(corrected(report, OrderFailures.arrivedLate()));
        next.status = OrderStatus.CANCELED;
        return next.state();
    }

    /** Given another chance after it had failed. Whether the venue has it is asked first. */
    public OrderState requeued(Reason by, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.UNKNOWN;
        next.reason = by;
        next.finalAt = null;
        return next.step(at);
    }

    /**
     * Carried on by another run of its workflow, after one that was ended. What the venue has answered goes on as it was;
     * of what it has not, it is asked first.
     */
    public OrderState adopted(Instant at) {
        return status.isUnanswered() ? requeued(OrderFailures.adopted(), at) : noted(OrderFailures.adopted(), at);
    }

    /**
     * This answer as one to the order as its workflow has it: who sent it knew it under its present terms alone, and
     * counted none of the attempts before.
     */
    public OrderState to(OrderState order) {
        OrderDraft next = new OrderDraft(this);
        next.request = order.request();
        next.attempts = order.attempts();
        return next.state();
    }

    /** The leg that works at the venue, or is to. */
    @JsonIgnore
    public Leg leg() {
        return legs.getLast();
    }

    /** What is wanted of the whole order now. */
    public Terms terms() {
        return leg().terms();
    }

    private int indexOf(int leg) {
        for (int index = 0; index < legs.size(); index++) {
            if (legs.get(index).number() == leg) {
                return index;
            }
        }
        return -1;
    }

    /** One line for the operator who opens the workflow. */
    public String details() {
        StringBuilder line = new StringBuilder(
                "**%s** %s of %s %s filled".formatted(status, filledQuantity, terms().quantity(), request.symbol()));
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
