package dev.berth.rest.audit;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of the whole audit.
 *
 * @param rows that are intact, from the first one of each chain
 * @param head the hashes of the last of them, of operators and of users, to be kept elsewhere
 * @param fault the first one found; absent when the audit is intact
 */
record AuditCheck(
        boolean intact, long rows, String head, @Nullable Fault fault) {
    /** Kinds of faults. */
    enum FaultKind {
        CHANGED,
        MISSING,
        /** No row has the expected hash. */
        HEAD_MISSING
    }

    /**
     * A fault.
     *
     * @param row its chain and number, as {@code OPERATORS-17}; absent when no row has the expected
     *     hash
     */
    @Schema(name = "AuditFault")
    record Fault(FaultKind kind, @Nullable String row, String text) {
        static Fault of(AuditFault fault) {
            return switch (fault) {
                case AuditFault.Changed(AuditPosition row) ->
                    new Fault(FaultKind.CHANGED, row.toString(), fault.text());
                case AuditFault.Missing(AuditPosition row) ->
                    new Fault(FaultKind.MISSING, row.toString(), fault.text());
                case AuditFault.HeadMissing _ -> new Fault(FaultKind.HEAD_MISSING, null, fault.text());
            };
        }
    }

    static AuditCheck of(AuditVerification found) {
        AuditFault fault = found.fault();
        return new AuditCheck(
                found.isIntact(), found.rows(), found.heads().toString(), fault == null ? null : Fault.of(fault));
    }
}
