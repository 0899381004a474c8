package dev.berth.rest;

import dev.berth.rest.identity.Subject;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.Objects;
import org.springframework.security.oauth2.jwt.Jwt;

/** The caller of a request. */
public final class CallerId {
    private CallerId() {}

    /**
     * The user of the token's subject.
     *
     * @throws Problem.Refusal when Berth itself uses the subject
     */
    public static UserId of(Jwt token) {
        return Subject.of(token)
                .userId()
                .orElseThrow(
                        () -> Problem.FORBIDDEN.because("The token's subject is reserved. Ask for one with another."));
    }

    /** The user id, under which every process logs; of a reserved subject its name. */
    static String name(Jwt token) {
        return Subject.of(token).userId().map(UserId::value).orElseGet(token::getSubject);
    }

    /** When the token expires. {@link Security} refuses a token without {@code exp}. */
    public static Instant expiry(Jwt token) {
        return Objects.requireNonNull(token.getExpiresAt());
    }
}
