package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An order as PostgreSQL has it.
 *
 * @param filled the quantity that its user is told
 * @param ledger the quantity of all its executions that were not taken back
 * @param venueOrderId of its newest leg; null when the venue never answered
 * @param deadline nothing passes the send gate after it
 */
record BerthOrder(
        OrderId id,
        String status,
        BigDecimal filled,
        BigDecimal ledger,
        @Nullable String venueOrderId,
        Instant deadline) {
    private static final Set<String> UNANSWERED = Set.of("PENDING", "DISPATCHED", "UNKNOWN");
    private static final Set<String> FINAL = Set.of("FILLED", "CANCELED", "REJECTED", "EXPIRED", "FAILED");

    static boolean isUnanswered(String status) {
        return UNANSWERED.contains(status);
    }

    boolean isUnanswered() {
        return isUnanswered(status);
    }

    boolean isFinal() {
        return FINAL.contains(status);
    }
}
