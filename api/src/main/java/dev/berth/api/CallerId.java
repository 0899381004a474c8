package dev.berth.api;

import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.Objects;
import org.springframework.security.oauth2.jwt.Jwt;

/** The caller of a request. */
public final class CallerId {
    private static final String FLEET = "fleet";
    private static final String WARM_UP = GatewayMethods.warmUpUser("");

    private CallerId() {}

    /**
     * The token's subject.
     *
     * @throws Problem.Refusal when it is no user id, or one that Berth itself uses: the fleet's,
     *     and those whose queues pool workers poll before they have a user
     */
    public static UserId of(Jwt token) {
        String subject = String.valueOf(token.getSubject());
        if (subject.equals(FLEET) || subject.startsWith(WARM_UP)) {
            throw Problem.FORBIDDEN.because("The token's subject is reserved. Ask for one with another.");
        }
        try {
            return new UserId(subject);
        } catch (IllegalArgumentException noUserId) {
            throw Problem.FORBIDDEN.because("The token's subject is not a user id. " + noUserId.getMessage());
        }
    }

    /** When the token expires. {@link Security} refuses a token without {@code exp}. */
    public static Instant expiry(Jwt token) {
        return Objects.requireNonNull(token.getExpiresAt());
    }
}
