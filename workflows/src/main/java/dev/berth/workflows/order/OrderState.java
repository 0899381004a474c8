package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.Decimal;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
@RecordBuilder
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PendingWork pending)
        implements OrderStateBuilder.With {

    public OrderState {
        versions = List.copyOf(versions);
        pending = pending != null && status.isFinal() ? pending.afterEnd() : pending;
        pending = PendingWork.NONE.equals(pending) ? null : pending;
    }

    public static OrderState accepted(OrderRequest request) {
        return OrderStateBuilder.builder()
                .request(request)
                .status(OrderStatus.PENDING)
                .filledQuantity(Decimal.ZERO)
                .versions(List.of(OrderVersion.first(OrderTerms.of(request))))
                .changedAt(request.submittedAt())
                .build();
    }

    /**
     * The same.
     *
     * @param hasWorker whether the user's worker renewed its heartbeat at admission
     */
    public static OrderState accepted(OrderRequest request, boolean hasWorker) {
        PendingWork.Dispatch dispatch = PendingWork.NONE.dispatch().withHasWorker(hasWorker);
        return accepted(request).withPending(PendingWork.NONE.withDispatch(dispatch));
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
        return withStatus(OrderStatus.PENDING)
                .because(null)
                .withAttempts(attempts + 1)
                .step(at);
    }

    /** A worker took it at {@code since}; a status that the venue reported meanwhile stays. */
    public OrderState dispatched(Instant since) {
        OrderState next = withDispatchedAt(since);
        return status == OrderStatus.PENDING
                ? next.withStatus(OrderStatus.DISPATCHED).step(since)
                : next;
    }

    /**
     * Moves on without a report of the venue. A move that is not allowed leaves the order as it is.
     */
    public OrderState became(OrderStatus to, @Nullable Reason why, Instant at) {
        return OrderTransitions.allowed(status, to)
                ? withStatus(to)
                        .because(why)
                        .withFinalAt(to.isFinal() ? at : null)
                        .step(at)
                : this;
    }

    /** Goes on as it is, for this reason; null takes the reason away. */
    public OrderState because(@Nullable Reason why, Instant at) {
        return because(why).step(at);
    }

    /** Before the venue has it, other terms cost nothing. */
    public OrderState withTerms(OrderTerms terms, Instant at) {
        return withCurrentVersion(version -> version.with(terms)).because(null).step(at);
    }

    /** A replacement is on its way to the venue. */
    public OrderState replacing(Instant at) {
        return withStatus(OrderStatus.PENDING_REPLACE)
                .withReplaces(replaces + 1)
                .step(at);
    }

    /** The venue has the order under its next id: what the version before filled stays filled. */
    public OrderState replaced(OrderTerms terms, ExecutionReport before, ExecutionReport report) {
        OrderState old = reported(before);
        OrderVersion replacement = new OrderVersion(report.version(), terms, Decimal.ZERO, null, null);
        return old.withVersions(Stream.concat(old.withoutUnfilled().stream(), Stream.of(replacement))
                        .toList())
                .withStatus(OrderStatus.PENDING_REPLACE)
                .withFinalAt(null)
                .reported(report);
    }

    /**
     * A replaced order keeps what it filled and its last version: with all versions, a history
     * would grow with the square of the replacements.
     */
    private List<OrderVersion> withoutUnfilled() {
        return versions.stream()
                .filter(version -> version.filled().isPositive()
                        || version.number() == currentVersion().number())
                .toList();
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
        return withVersions(versions.subList(0, versions.size() - 1))
                .withStatus(status == OrderStatus.PENDING_CANCEL ? status : OrderStatus.PENDING_REPLACE)
                .because(why)
                .step(at);
    }

    /**
     * Applies a report. A report that is older than the state, or has nothing new, changes nothing;
     * but an end is news at any time, since nothing leads out of one, and so is a refused cancel. A
     * version that was replaced may still bring fills; only the newest one moves the status.
     */
    public OrderState reported(ExecutionReport report) {
        int index = indexOf(report.version());
        if (!status.isFinal() && index < 0 && currentVersion().hasDropped(report)) {
            OrderState next = corrected(report);
            return next.withStatus(next.statusOfOrder(status)).step(report.at());
        }
        boolean isNewest = index == versions.size() - 1;
        boolean isRefusedCancel = isNewest && isRefusedCancel(report);
        boolean isAlwaysApplied =
                isRefusedCancel || (isNewest && report.status().isFinal());
        if (status.isFinal()
                || index < 0
                || !(isAlwaysApplied || versions.get(index).isChangedBy(report))) {
            return this;
        }
        OrderState counted =
                withVersion(report.version(), version -> version.after(report)).addedUp();
        OrderState next = isNewest ? counted.answered(isCancelUnconfirmed(report), report) : counted;
        if (next.status != status && !OrderTransitions.allowed(status, next.status)) {
            return this;
        }
        if (next.status == status
                && next.filledQuantity.equals(filledQuantity)
                && Objects.equals(next.averagePrice, averagePrice)
                && Objects.equals(next.venueStatus, venueStatus)
                && !isRefusedCancel) {
            return this;
        }
        return next.withAcknowledgedAt(acknowledgedAt == null ? report.at() : acknowledgedAt)
                .withWorkerEpoch(report.epoch())
                .step(report.at());
    }

    /** What the venue says of the version that works there, its fills counted already. */
    private OrderState answered(boolean isCancelUnconfirmed, ExecutionReport report) {
        OrderStatus to = isCancelUnconfirmed ? status : statusOfOrder(report.status());
        return withStatus(to)
                .withVenueStatus(report.venueStatus())
                .because(report.reason())
                .withVenueOrderId(report.venueOrderId() == null ? venueOrderId : report.venueOrderId())
                .withFinalAt(to.isFinal() ? report.at() : null);
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
        return corrected(report).because(why).step(report.at());
    }

    /** Applies the report to its version, which is added when it is not known. */
    private OrderState corrected(ExecutionReport report) {
        OrderVersion unknown = new OrderVersion(report.version(), terms(), Decimal.ZERO, null, null);
        Stream<OrderVersion> added = indexOf(report.version()) < 0 ? Stream.of(unknown) : Stream.empty();
        return withVersions(Stream.concat(versions.stream(), added)
                        .sorted(Comparator.comparingInt(OrderVersion::number))
                        .toList())
                .withVersion(report.version(), version -> version.isChangedBy(report) ? version.after(report) : version)
                .addedUp();
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
        return corrected(report, OrderFailures.arrivedLate(isOver))
                .withStatus(isOver ? report.status() : OrderStatus.CANCELED);
    }

    /** Given another chance after it had failed. Whether the venue has it is asked first. */
    public OrderState requeued(Reason by, Instant at) {
        return withStatus(OrderStatus.UNKNOWN)
                .because(by)
                .withFinalAt(null)
                .withPending(null)
                .step(at);
    }

    /**
     * Carried on by another run of its workflow, after one that was ended. What the venue has
     * answered goes on as it was; of what it has not, it is asked first.
     */
    public OrderState adopted(Instant at) {
        return status.isUnanswered() ? requeued(OrderFailures.adopted(), at) : because(OrderFailures.adopted(), at);
    }

    /** The same, to be written in the place of a row that shows less. */
    public OrderState inPlaceOf(OrderState row) {
        return withRevision(Math.max(revision, row.revision() + 1));
    }

    /**
     * This state as the order's workflow would have it: the worker that made it knew the order
     * under its present terms alone, and counted none of the attempts before.
     */
    public OrderState to(OrderState order) {
        return withRequest(order.request()).withAttempts(order.attempts());
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

    /** As a step of its own. */
    private OrderState step(Instant at) {
        return withRevision(revision + 1).withChangedAt(at);
    }

    /** A bust stays the reason until there is another one that calls for a person. */
    private OrderState because(@Nullable Reason why) {
        return FailureCode.BUST.isOf(reason) && !FailureCode.needsAttention(why) ? this : withReason(why);
    }

    private OrderState withCurrentVersion(UnaryOperator<OrderVersion> change) {
        return withVersion(currentVersion().number(), change);
    }

    private OrderState withVersion(int number, UnaryOperator<OrderVersion> change) {
        return withVersions(versions.stream()
                .map(version -> version.number() == number ? change.apply(version) : version)
                .toList());
    }

    /** Quantity and average price of all versions together. */
    private OrderState addedUp() {
        BigDecimal filled = BigDecimal.ZERO;
        BigDecimal cost = BigDecimal.ZERO;
        for (OrderVersion version : versions) {
            filled = filled.add(version.filled().value());
            if (version.averagePrice() != null) {
                cost = cost.add(
                        version.filled().value().multiply(version.averagePrice().value()));
            }
        }
        boolean isOne = filled.signum() != 0 && versions.size() == 1;
        return withFilledQuantity(Decimal.sum(filled))
                .withAveragePrice(isOne ? versions.getFirst().averagePrice() : Decimal.average(cost, filled));
    }

    /** A new version has no fills of its own, but the order may have. */
    private OrderStatus statusOfOrder(OrderStatus ofVersion) {
        return ofVersion == OrderStatus.NEW && filledQuantity.isPositive() ? OrderStatus.PARTIALLY_FILLED : ofVersion;
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
