package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next state of an order; a field that is not set keeps its value. */
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

    final List<OrderVersion> versions;
    int replaces;

    @Nullable
    PendingWork pending;

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
        this.versions = new ArrayList<>(from.versions());
        this.replaces = from.replaces();
        this.pending = from.pending();
    }

    /**
     * A replaced order keeps what it filled and its last version: with all versions, a history
     * would grow with the square of the replacements.
     */
    void dropUnfilledVersions() {
        versions.subList(0, versions.size() - 1)
                .removeIf(version -> !version.filled().isPositive());
    }

    /** Applies the report to its version, which is added when it is not known. */
    void correct(ExecutionReport report) {
        if (versions.stream().noneMatch(version -> version.number() == report.version())) {
            versions.add(new OrderVersion(report.version(), from.terms(), Decimal.ZERO, null, null));
            versions.sort(Comparator.comparingInt(OrderVersion::number));
        }
        versions.replaceAll(version ->
                version.number() == report.version() && version.isChangedBy(report) ? version.after(report) : version);
        addUp();
    }

    /** Quantity and average price of all versions together. */
    void addUp() {
        BigDecimal filled = BigDecimal.ZERO;
        BigDecimal cost = BigDecimal.ZERO;
        for (OrderVersion version : versions) {
            filled = filled.add(version.filled().value());
            if (version.averagePrice() != null) {
                cost = cost.add(
                        version.filled().value().multiply(version.averagePrice().value()));
            }
        }
        filledQuantity = Decimal.sum(filled);
        averagePrice = filled.signum() != 0 && versions.size() == 1
                ? versions.getFirst().averagePrice()
                : Decimal.average(cost, filled);
    }

    /** A new version has no fills of its own, but the order may have. */
    OrderStatus statusOfOrder(OrderStatus ofVersion) {
        return ofVersion == OrderStatus.NEW && filledQuantity.isPositive() ? OrderStatus.PARTIALLY_FILLED : ofVersion;
    }

    /** As a step of its own. */
    OrderState step(Instant at) {
        return state(from.revision() + 1, at);
    }

    /** As it is, behind this revision. */
    OrderState after(int revision) {
        return state(Math.max(from.revision(), revision + 1), from.changedAt());
    }

    /** As part of the step before. */
    OrderState state() {
        return state(from.revision(), from.changedAt());
    }

    /** A bust stays the reason until there is another one that calls for a person. */
    private @Nullable Reason reason() {
        return FailureCode.BUST.isOf(from.reason()) && !FailureCode.needsAttention(reason) ? from.reason() : reason;
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
                versions,
                replaces,
                revision,
                changedAt,
                pending);
    }
}
