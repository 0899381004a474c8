package dev.berth.api.fleet;

import dev.berth.api.Problem;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/** The body of whatever an operator does: why. It is shown to the user, and in Temporal's Web UI. */
record Because(
        @Schema(example = "exchange is down") @Nullable String reason) {
    private static final int LONGEST = 500;

    /** The reason, and who gave it. */
    String by(Jwt operator) {
        return text() + " (" + name(operator) + ")";
    }

    String text() {
        if (reason == null || reason.isBlank() || reason.length() > LONGEST) {
            throw Problem.INVALID_REQUEST.because(
                    "Say why, in 1 to " + LONGEST + " characters: {\"reason\": \"exchange is down\"}.");
        }
        return reason.strip();
    }

    static String name(Jwt operator) {
        return String.valueOf(operator.getSubject());
    }
}
