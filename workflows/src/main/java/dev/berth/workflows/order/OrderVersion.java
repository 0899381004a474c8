package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order under one of its venue ids. A replacement begins a new version; what the versions before
 * it filled stays filled.
 *
 * @param number 0 for the order as it was submitted, n for its nth replacement
 * @param terms the whole order's, since this version
 * @param filled of this version alone
 * @param updatedAt the venue's time of the last change that was applied
 */
public record OrderVersion(
        int number,
        OrderTerms terms,
        Decimal filled,
        @Nullable Decimal averagePrice,
        @Nullable Instant updatedAt) {

    static OrderVersion first(OrderTerms terms) {
        return new OrderVersion(0, terms, Decimal.ZERO, null, null);
    }

    OrderVersion with(OrderTerms changed) {
        return new OrderVersion(number, changed, filled, averagePrice, updatedAt);
    }

    /**
     * Whether the report is newer than this version. Venues' clocks differ, and several events may
     * have the same millisecond: more fills are news at any time. Fewer are news only later, or as
     * a bust.
     */
    boolean isChangedBy(ExecutionReport report) {
        int growth = report.filledQuantity().compareTo(filled);
        if (growth > 0) {
            return true;
        }
        if (updatedAt != null
                && report.updatedAt() != null
                && !report.updatedAt().equals(updatedAt)) {
            return report.updatedAt().isAfter(updatedAt);
        }
        return growth == 0 || report.reportsBust();
    }

    /** Whether the report is later by the venue's clock. */
    boolean isBefore(ExecutionReport report) {
        return updatedAt != null
                && report.updatedAt() != null
                && report.updatedAt().isAfter(updatedAt);
    }

    /** Whether the report is of an earlier version that was dropped, and did fill something. */
    boolean hasDropped(ExecutionReport report) {
        return report.version() < number && report.filledQuantity().isPositive();
    }

    OrderVersion after(ExecutionReport report) {
        return new OrderVersion(
                number,
                terms,
                report.filledQuantity(),
                report.averagePrice() == null ? averagePrice : report.averagePrice(),
                report.updatedAt() == null ? updatedAt : report.updatedAt());
    }
}
