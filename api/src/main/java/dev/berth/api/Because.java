package dev.berth.api;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/** The body of whatever an operator does: why. It is shown to the user, and in Temporal's Web UI. */
public record Because(
        @Schema(example = "exchange is down") @Nullable String reason) {
    private static final int LONGEST = 500;
    /** What PostgreSQL keeps in no text: NUL, and halves of surrogate pairs. */
    private static final Pattern NO_TEXT = Pattern.compile("[\\x00\\p{Cs}]");

    /** The reason, and who gave it. */
    public String by(Jwt operator) {
        return text() + " (" + name(operator) + ")";
    }

    /**
     * The reason alone.
     *
     * @throws Problem.Refusal when there is none, it is too long, or no text
     */
    public String text() {
        if (reason == null
                || reason.isBlank()
                || reason.length() > LONGEST
                || NO_TEXT.matcher(reason).find()) {
            throw Problem.INVALID_REQUEST.because(
                    "Say why, in 1 to " + LONGEST + " characters of text: {\"reason\": \"exchange is down\"}.");
        }
        return reason.strip();
    }

    public static String name(Jwt operator) {
        return String.valueOf(operator.getSubject());
    }
}
