package dev.berth.rest.audit;

import static dev.berth.temporal.OrderSamples.ALICE;

import java.util.List;

/** Entries for tests. */
final class AuditSamples {
    static final AuditActor OLGA = new AuditActor("olga", "fleet", "r-1");

    private AuditSamples() {}

    static AuditEntry stop(String reason) {
        return new AuditEntry(OLGA, AuditAction.STOP_WORKER, ALICE, reason);
    }

    static AuditEntry stored(String account) {
        return new AuditEntry(
                new AuditActor("alice", "accounts:write", "r-2"), AuditAction.STORE_CREDENTIALS, ALICE, account);
    }

    /** The whole audit, oldest row first. */
    static List<AuditRow> rows(AuditLog audit) {
        return audit.search(new AuditQuery(null, null, null, null, 1_000)).reversed();
    }
}
