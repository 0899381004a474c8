package dev.berth.rest;

import dev.berth.workflows.PlainText;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/** The body of an operator's command: its reason. The user and Temporal's Web UI show it. */
public record ReasonBody(
        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                minLength = 1,
                maxLength = 500,
                example = "exchange is down")
        @Nullable
        String reason) {
    private static final int MAX_LENGTH = 500;

    /** The reason and the operator's name. */
    public String by(Jwt operator) {
        return text() + " (" + name(operator) + ")";
    }

    /**
     * The reason.
     *
     * @throws Problem.Refusal when it is missing, too long or not plain text
     */
    public String text() {
        if (reason == null || reason.isBlank() || reason.length() > MAX_LENGTH) {
            throw Problem.INVALID_REQUEST.because(
                    "Give a reason of 1 to " + MAX_LENGTH + " characters: {\"reason\": \"exchange is down\"}.");
        }
        if (!PlainText.is(reason)) {
            throw Problem.INVALID_REQUEST.because(
                    "Give the reason in one line of plain text. It contains control or formatting" + " characters.");
        }
        return reason.strip();
    }

    public static String name(Jwt operator) {
        return PlainText.line(String.valueOf(operator.getSubject()));
    }
}
