package dev.berth.activities.audit;

import dev.berth.workflows.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * Who acts. Characters that a terminal would obey are replaced.
 *
 * @param subject of the token, at most 255 characters
 * @param scope the token's scopes; empty for a plain user
 * @param requestId given by the caller; null without one
 */
public record AuditActor(
        String subject, String scope, @Nullable String requestId) {
    /** A longer subject or scope is cut. */
    public static final int MAX_LENGTH = 255;

    public AuditActor {
        subject = text(subject);
        scope = text(scope);
        requestId = requestId == null ? null : text(requestId);
    }

    private static String text(String any) {
        return PlainText.line(any.substring(0, Math.min(any.length(), MAX_LENGTH)));
    }
}
