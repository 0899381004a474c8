package dev.berth.rest.audit;

import dev.berth.workflows.PlainText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who acts. Characters that a terminal would obey are replaced.
 *
 * @param subject of the token, at most 255 characters
 * @param scope the token's scopes; empty for a plain user
 * @param requestId given by the caller; null without one. Cut to 64 characters; an underscore
 *     replaces all but letters, digits and {@code . _ : / + = -}
 */
public record AuditActor(
        String subject, String scope, @Nullable String requestId) {
    /** A longer subject or scope is cut. */
    public static final int MAX_LENGTH = 255;

    private static final int MAX_REQUEST_ID = 64;
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._:/+=-]");

    public AuditActor {
        subject = text(subject);
        scope = text(scope);
        requestId = requestId == null
                ? null
                : UNSAFE.matcher(cut(requestId, MAX_REQUEST_ID)).replaceAll("_");
    }

    private static String text(String any) {
        return PlainText.line(cut(any, MAX_LENGTH));
    }

    private static String cut(String any, int length) {
        return any.substring(0, Math.min(any.length(), length));
    }
}
