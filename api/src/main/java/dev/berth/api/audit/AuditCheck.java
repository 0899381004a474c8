package dev.berth.api.audit;

import dev.berth.activities.audit.AuditFault;
import dev.berth.activities.audit.AuditVerification;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of the whole audit.
 *
 * @param rows that are intact, from the first one
 * @param head the hash of the last of them, to be kept elsewhere
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
     * @param row its number; absent when no row has the expected hash
     */
    @Schema(name = "AuditFault")
    record Fault(FaultKind kind, @Nullable Long row, String text) {
        static Fault of(AuditFault fault) {
            return switch (fault) {
                case AuditFault.Changed(long number) -> new Fault(FaultKind.CHANGED, number, fault.text());
                case AuditFault.Missing(long number) -> new Fault(FaultKind.MISSING, number, fault.text());
                case AuditFault.HeadMissing _ -> new Fault(FaultKind.HEAD_MISSING, null, fault.text());
            };
        }
    }

    static AuditCheck of(AuditVerification found) {
        AuditFault fault = found.fault();
        return new AuditCheck(found.isIntact(), found.rows(), found.head(), fault == null ? null : Fault.of(fault));
    }
}
