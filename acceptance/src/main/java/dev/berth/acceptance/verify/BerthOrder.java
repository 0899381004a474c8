package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An order as stored in PostgreSQL.
 *
 * @param reason begins with its category and code; null without one
 * @param filled the filled quantity that the user sees
 * @param ledger the quantity of all executions that were not busted
 * @param venueOrderId the venue's id of the newest version; null without an answer
 * @param deadline the deadline at the send gate
 * @param canceledAt since when a mass cancel that covers it is in effect; null without any
 */
record BerthOrder(
        OrderReference id,
        LocalAccount account,
        String status,
        @Nullable String reason,
        BigDecimal filled,
        BigDecimal ledger,
        @Nullable String venueOrderId,
        Instant deadline,
        @Nullable Instant canceledAt) {
    private static final Set<String> UNANSWERED = Set.of("PENDING", "DISPATCHED", "UNKNOWN");
    private static final Set<String> FINAL = Set.of("FILLED", "CANCELED", "REJECTED", "EXPIRED", "FAILED");

    static boolean isUnanswered(String status) {
        return UNANSWERED.contains(status);
    }

    boolean isUnanswered() {
        return isUnanswered(status);
    }

    /** Whether a person must tell its outcome, and none has. */
    boolean isUnresolved() {
        return reason != null && reason.contains(": unresolved: ");
    }

    boolean isFinal() {
        return FINAL.contains(status);
    }
}
