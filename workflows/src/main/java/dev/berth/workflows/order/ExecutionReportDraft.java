package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report in the making; a field that is not set keeps its value. */
public final class ExecutionReportDraft {
    private final int version;
    private final OrderStatus status;
    private String venueStatus;
    private final Instant at;
    private final long epoch;
    private @Nullable Decimal quantity;
    private @Nullable String venueOrderId;
    private Decimal filledQuantity = Decimal.ZERO;
    private @Nullable Decimal averagePrice;
    private @Nullable Reason reason;
    private @Nullable Instant updatedAt;
    private List<Execution> executions = List.of();

    /** Without fills; the worker of this epoch had it at this time. */
    public ExecutionReportDraft(int version, OrderStatus status, String venueStatus, Instant at, long epoch) {
        this.version = version;
        this.status = status;
        this.venueStatus = venueStatus;
        this.at = at;
        this.epoch = epoch;
    }

    ExecutionReportDraft(ExecutionReport from) {
        this(from.version(), from.status(), from.venueStatus(), from.at(), from.epoch());
        this.quantity = from.quantity();
        this.venueOrderId = from.venueOrderId();
        this.filledQuantity = from.filledQuantity();
        this.averagePrice = from.averagePrice();
        this.reason = from.reason();
        this.updatedAt = from.updatedAt();
        this.executions = from.executions();
    }

    public ExecutionReportDraft venueStatus(String word) {
        venueStatus = word;
        return this;
    }

    public ExecutionReportDraft quantity(@Nullable Decimal mayBeFilled) {
        quantity = mayBeFilled;
        return this;
    }

    public ExecutionReportDraft venueOrderId(@Nullable String id) {
        venueOrderId = id;
        return this;
    }

    public ExecutionReportDraft filled(Decimal total, @Nullable Decimal average) {
        filledQuantity = total;
        averagePrice = average;
        return this;
    }

    public ExecutionReportDraft reason(@Nullable Reason why) {
        reason = why;
        return this;
    }

    public ExecutionReportDraft updatedAt(@Nullable Instant time) {
        updatedAt = time;
        return this;
    }

    public ExecutionReportDraft executions(List<Execution> reported) {
        executions = reported;
        return this;
    }

    public ExecutionReport report() {
        return new ExecutionReport(
                version,
                quantity,
                status,
                venueStatus,
                venueOrderId,
                filledQuantity,
                averagePrice,
                reason,
                updatedAt,
                executions,
                at,
                epoch);
    }
}
