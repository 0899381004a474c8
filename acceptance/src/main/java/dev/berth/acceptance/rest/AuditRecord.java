package dev.berth.acceptance.rest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the audit.
 *
 * @param userId absent when the row concerns all users, or a broker
 */
public record AuditRecord(
        String chain,
        long number,
        Instant at,
        String actor,
        String scope,
        String action,
        @Nullable String userId,
        String outcome,
        String detail,
        @Nullable String requestId) {

    /** The row's name in searches. */
    public String position() {
        return chain + "-" + number;
    }
}
