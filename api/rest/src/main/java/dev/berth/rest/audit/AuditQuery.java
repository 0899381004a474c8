package dev.berth.rest.audit;

import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A search in the audit, newest rows first. A null field does not restrict it.
 *
 * @param after only rows older than this one: the last one of the page before
 * @param limit rows, at least 1
 */
public record AuditQuery(
        @Nullable UserId userId,
        @Nullable String actor,
        @Nullable AuditAction action,
        @Nullable AuditPosition after,
        int limit) {}
