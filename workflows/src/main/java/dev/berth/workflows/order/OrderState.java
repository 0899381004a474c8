package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Decimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An order as it is now: the input, the state and the result of its workflow.
 *
 * @param filledQuantity of all versions together
 * @param averagePrice of that
 * @param venueOrderId of the newest version that the venue reported
 * @param attempts how often it was handed to a worker
 * @param workerEpoch of the worker that had the venue's last answer
 * @param versions oldest first, never empty; the last is the one that works at the venue
 * @param replaces how often a replacement was tried; each took a number of its own
 * @param revision grows by one with every step, so that a step written twice counts once
 * @param changedAt when the last step happened
 * @param pending what the workflow still has to do; absent when there is nothing
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
        List<OrderVersion> versions,
        int replaces,
        int revision,
        Instant changedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PendingWork pending) {

    public OrderState {
        versions = List.copyOf(versions);
        pending = status.isFinal() || PendingWork.NONE.equals(pending) ? null : pending;
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
                List.of(OrderVersion.first(OrderTerms.of(request))),
                0,
                0,
                request.submittedAt(),
                null);
    }

    /** Remembers this; the order itself is as it was. */
    OrderState with(PendingWork work) {
        OrderDraft next = new OrderDraft(this);
        next.pending = work;
        return next.state();
    }

    /** Whether it was unknown then, and is not any more. */
    boolean isResolvedSince(OrderState then) {
        return then.status == OrderStatus.UNKNOWN && status != OrderStatus.UNKNOWN;
    }

    /**
     * When a person should know that the venue still has not confirmed what it was asked for; null
     * when it has, or a person was called already.
     */
    @JsonIgnore
    @Nullable
    Instant unconfirmedAt() {
        boolean isPending = status == OrderStatus.PENDING_CANCEL
                || status == OrderStatus.PENDING_REPLACE
                || OrderPolicies.PENDING_NEW.equals(venueStatus);
        return isPending && !FailureCode.needsAttention(reason) ? changedAt.plus(OrderPolicies.CALL_AFTER) : null;
    }

    /** Whether a replacement is requested and neither made nor refused. */
    @JsonIgnore
    public boolean isReplaceRequested() {
        return pending != null && pending.requests().terms() != null;
    }

    /** Handed to the user's queue once more; why a worker declined it before is past. */
    public OrderState attempted(Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.PENDING;
        next.reason = null;
        next.attempts++;
        return next.step(at);
    }

    /** A worker took it at {@code since}; a status that the venue reported meanwhile stays. */
    public OrderState dispatched(Instant since) {
        OrderDraft next = new OrderDraft(this);
        next.dispatchedAt = since;
        if (status != OrderStatus.PENDING) {
            return next.state();
        }
        next.status = OrderStatus.DISPATCHED;
        return next.step(since);
    }

    /**
     * Moves on without a report of the venue. A move that is not allowed leaves the order as it is.
     */
    public OrderState became(OrderStatus to, @Nullable Reason why, Instant at) {
        if (!OrderTransitions.allowed(status, to)) {
            return this;
        }
        OrderDraft next = new OrderDraft(this);
        next.status = to;
        next.reason = why;
        next.finalAt = to.isFinal() ? at : null;
        return next.step(at);
    }

    /** Goes on as it is, for this reason; null takes the reason away. */
    public OrderState withReason(@Nullable Reason why, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.reason = why;
        return next.step(at);
    }

    /** Before the venue has it, other terms cost nothing. */
    public OrderState withTerms(OrderTerms terms, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.versions.set(next.versions.size() - 1, currentVersion().with(terms));
        next.reason = null;
        return next.step(at);
    }

    /** A replacement is on its way to the venue. */
    public OrderState replacing(Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.PENDING_REPLACE;
        next.replaces++;
        return next.step(at);
    }

    /** The venue has the order under its next id: what the version before filled stays filled. */
    public OrderState replaced(OrderTerms terms, ExecutionReport before, ExecutionReport report) {
        OrderDraft next = new OrderDraft(reported(before));
        next.dropUnfilledVersions();
        next.versions.add(new OrderVersion(report.version(), terms, Decimal.ZERO, null, null));
        next.status = OrderStatus.PENDING_REPLACE;
        next.finalAt = null;
        return next.state().reported(report);
    }

    /**
     * Whether the venue took the newest replacement, and rejected it later: the version before it
     * is what there is.
     */
    boolean isRejectedReplacement(ExecutionReport report) {
        return !status.isFinal()
                && versions.size() > 1
                && report.version() == currentVersion().number()
                && report.isRejectedUnfilled();
    }

    /** Without the newest version. How the one before it is now, the venue has to be asked. */
    public OrderState withoutReplacement(Reason why, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.versions.removeLast();
        next.status = status == OrderStatus.PENDING_CANCEL ? status : OrderStatus.PENDING_REPLACE;
        next.reason = why;
        return next.step(at);
    }

    /**
     * Applies a report. A report that is older than the state, or has nothing new, changes nothing;
     * but an end is news at any time, since nothing leads out of one, and so is a refused cancel. A
     * version that was replaced may still bring fills; only the newest one moves the status.
     */
    public OrderState reported(ExecutionReport report) {
        int index = indexOf(report.version());
        OrderDraft next = new OrderDraft(this);
        if (!status.isFinal() && index < 0 && currentVersion().hasDropped(report)) {
            next.correct(report);
            next.status = next.statusOfOrder(status);
            return next.step(report.at());
        }
        boolean isNewest = index == versions.size() - 1;
        boolean isRefusedCancel = isNewest && isRefusedCancel(report);
        boolean isNews = isRefusedCancel || (isNewest && report.status().isFinal());
        if (status.isFinal() || index < 0 || !(isNews || versions.get(index).isChangedBy(report))) {
            return this;
        }
        next.versions.set(index, versions.get(index).after(report));
        next.addUp();
        if (isNewest) {
            OrderStatus to = isCancelUnconfirmed(report) ? status : next.statusOfOrder(report.status());
            if (to != status && !OrderTransitions.allowed(status, to)) {
                return this;
            }
            next.status = to;
            next.venueStatus = report.venueStatus();
            next.reason = report.reason();
            next.venueOrderId = report.venueOrderId() == null ? venueOrderId : report.venueOrderId();
            next.finalAt = to.isFinal() ? report.at() : null;
        }
        if (next.status == status
                && next.filledQuantity.equals(filledQuantity)
                && Objects.equals(next.averagePrice, averagePrice)
                && Objects.equals(next.venueStatus, venueStatus)
                && !isRefusedCancel) {
            return this;
        }
        next.acknowledgedAt = acknowledgedAt == null ? report.at() : acknowledgedAt;
        next.workerEpoch = report.epoch();
        return next.step(report.at());
    }

    /** Whether it tells of a refused cancel that is not the reason yet. */
    private boolean isRefusedCancel(ExecutionReport report) {
        return report.refusesCancel()
                && !(Objects.equals(report.reason(), reason) && report.status() == status)
                && report.filledQuantity().compareTo(currentVersion().filled()) >= 0;
    }

    /** A venue that has taken a cancel in hand may still report the order as it was before. */
    private boolean isCancelUnconfirmed(ExecutionReport report) {
        return status == OrderStatus.PENDING_CANCEL
                && !report.status().isFinal()
                && !report.refusesCancel()
                && !currentVersion().isBefore(report);
    }

    /**
     * An order that was over, corrected by a report of one of its versions. One that is not known
     * here, such as a replacement that was taken for lost, counts from now on.
     */
    public OrderState corrected(ExecutionReport report, Reason why) {
        OrderDraft next = new OrderDraft(this);
        next.correct(report);
        next.reason = why;
        return next.step(report.at());
    }

    /** Whether the venue has another order with this id, so that it refused this one. */
    @JsonIgnore
    public boolean isAnothers() {
        return status == OrderStatus.REJECTED && FailureCode.DUPLICATE_ID.isOf(reason);
    }

    /**
     * Whether the venue has the order, or a replacement of it, that was taken for lost or for
     * refused when the order ended.
     */
    public boolean isLateArrival(ExecutionReport report) {
        if (isAnothers() || FailureCode.LATE_ARRIVAL.isOf(reason) || report.status() == OrderStatus.REJECTED) {
            return false;
        }
        boolean isDenied = status == OrderStatus.FAILED || (status == OrderStatus.REJECTED && venueOrderId == null);
        boolean wasLost = status == OrderStatus.CANCELED && (acknowledgedAt == null || indexOf(report.version()) < 0);
        return isDenied || (wasLost && !report.status().isFinal());
    }

    /**
     * The venue has it after all. It is canceled there, too, unless it is over, and then is what
     * its user already read.
     */
    public OrderState arrivedLate(ExecutionReport report) {
        boolean isOver = report.status().isFinal();
        OrderDraft next = new OrderDraft(corrected(report, OrderFailures.arrivedLate(isOver)));
        next.status = isOver ? report.status() : OrderStatus.CANCELED;
        return next.state();
    }

    /** Given another chance after it had failed. Whether the venue has it is asked first. */
    public OrderState requeued(Reason by, Instant at) {
        OrderDraft next = new OrderDraft(this);
        next.status = OrderStatus.UNKNOWN;
        next.reason = by;
        next.finalAt = null;
        next.pending = null;
        return next.step(at);
    }

    /**
     * Carried on by another run of its workflow, after one that was ended. What the venue has
     * answered goes on as it was; of what it has not, it is asked first.
     */
    public OrderState adopted(Instant at) {
        return status.isUnanswered() ? requeued(OrderFailures.adopted(), at) : withReason(OrderFailures.adopted(), at);
    }

    /** The same, to be written in the place of a row that shows less. */
    public OrderState inPlaceOf(OrderState row) {
        return new OrderDraft(this).after(row.revision());
    }

    /**
     * This state as the order's workflow would have it: the worker that made it knew the order
     * under its present terms alone, and counted none of the attempts before.
     */
    public OrderState to(OrderState order) {
        OrderDraft next = new OrderDraft(this);
        next.request = order.request();
        next.attempts = order.attempts();
        return next.state();
    }

    /** The version that works at the venue, or is to. */
    @JsonIgnore
    public OrderVersion currentVersion() {
        return versions.getLast();
    }

    /** What is wanted of the whole order now. */
    public OrderTerms terms() {
        return currentVersion().terms();
    }

    private int indexOf(int version) {
        for (int index = 0; index < versions.size(); index++) {
            if (versions.get(index).number() == version) {
                return index;
            }
        }
        return -1;
    }

    /**
     * One line for the operator who opens the workflow. What was traded stands in payloads only.
     */
    public String details() {
        return "**%s**".formatted(status)
                + (reason == null ? "" : "; " + reason.code())
                + (workerEpoch == null ? "" : "; worker epoch " + workerEpoch)
                + "; attempts " + attempts;
    }
}
