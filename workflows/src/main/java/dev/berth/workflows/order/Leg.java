package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order under one of its venue ids. A replacement begins a new leg; what the legs before it filled stays filled.
 *
 * @param number 0 for the order as it was submitted, n for its nth replacement
 * @param terms the whole order's, since this leg
 * @param filled of this leg alone
 * @param updatedAt the venue's time of the last change that was taken over; what is older is old news
 */
public record Leg(
        int number,
        Terms terms,
        Decimal filled,
        @Nullable Decimal averagePrice,
        @Nullable Instant updatedAt) {

    static Leg first(Terms terms) {
        return new Leg(0, terms, Decimal.ZERO, null, null);
    }

    Leg with(Terms changed) {
        return new Leg(number, changed, filled, averagePrice, updatedAt);
    }

    /**
     * Whether the report says something of this leg that is not known yet. Without the venue's time, fills only grow, but
     * for what the venue takes back.
     */
    boolean isNews(VenueReport report) {
        if (updatedAt != null
                && report.updatedAt() != null
                && !report.updatedAt().equals(updatedAt)) {
            return report.updatedAt().isAfter(updatedAt);
        }
        return report.filledQuantity().compareTo(filled) >= 0 || report.tellsOfBust();
    }

    Leg after(VenueReport report) {
        return new Leg(
                number,
                terms,
                report.filledQuantity(),
                report.averagePrice() == null ? averagePrice : report.averagePrice(),
                report.updatedAt() == null ? updatedAt : report.updatedAt());
    }
}
