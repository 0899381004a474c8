package dev.berth.rest.audit;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check of all chains.
 *
 * @param rows that were read and found intact, from the first one of each chain
 * @param heads the hash of the last of them in each chain
 * @param fault the first one found; null when the audit is intact
 */
public record AuditVerification(
        long rows, AuditHeads heads, @Nullable AuditFault fault) {
    public boolean isIntact() {
        return fault == null;
    }
}
