package dev.berth.activities.audit;

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
}
