package dev.berth.api;

import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.Objects;
import org.springframework.security.oauth2.jwt.Jwt;

/** The caller of a request. */
public final class CallerId {
    private CallerId() {}

    /** The token's subject. */
    public static UserId of(Jwt token) {
        try {
            return new UserId(String.valueOf(token.getSubject()));
        } catch (IllegalArgumentException noUserId) {
            throw Problem.FORBIDDEN.because("The token's subject is not a user id. " + noUserId.getMessage());
        }
    }

    /** When the token expires. {@link Security} refuses a token without {@code exp}. */
    public static Instant expiry(Jwt token) {
        return Objects.requireNonNull(token.getExpiresAt());
    }
}
