package dev.berth.rest.audit;

import dev.berth.workflows.PlainText;
import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * What is to be recorded.
 *
 * @param userId whom it concerns; null for all users, or a broker
 * @param detail for a person, without any secret: the reason, the account, the new value.
 *     Characters that a terminal would obey are replaced
 */
public record AuditEntry(
        AuditActor actor, AuditAction action, @Nullable UserId userId, String detail) {
    public AuditEntry {
        detail = PlainText.line(detail);
    }

    /** Operators have no credentials, and webhooks without a user. */
    AuditChain chain() {
        return switch (action) {
            case STORE_CREDENTIALS, REMOVE_CREDENTIALS, CLOSE_POSITIONS -> AuditChain.USERS;
            case STORE_WEBHOOK, REMOVE_WEBHOOK -> userId == null ? AuditChain.OPERATORS : AuditChain.USERS;
            case SET_KILL_SWITCH,
                    SET_LIMITS,
                    SUSPEND_WORKER,
                    RESUME_WORKER,
                    STOP_WORKER,
                    RELOAD_CREDENTIALS,
                    SUSPEND_ALL,
                    RESUME_ALL,
                    UPGRADE_WORKERS,
                    STOP_UPGRADE,
                    PUT_INTO_GROUP,
                    TAKE_OUT_OF_GROUP,
                    REQUEUE_ORDER,
                    RESOLVE_ORDER,
                    RUN_ARCHIVE,
                    READ_WORKER,
                    EXPLAIN_WORKER,
                    READ_ORDERS,
                    READ_EVENTS,
                    READ_ATTENTION,
                    READ_LIMITS,
                    READ_PAYLOADS -> AuditChain.OPERATORS;
        };
    }
}
