package dev.berth.activities.audit;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check of the whole chain.
 *
 * @param rows that were read and found intact, from the first one
 * @param head the hash of the last of them; 64 zeros without rows
 * @param fault the first one found; null when the audit is intact
 */
public record AuditVerification(
        long rows, String head, @Nullable AuditFault fault) {
    public boolean isIntact() {
        return fault == null;
    }
}
