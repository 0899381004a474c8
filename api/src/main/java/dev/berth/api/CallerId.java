package dev.berth.api;

import dev.berth.workflows.UserId;
import org.springframework.security.oauth2.jwt.Jwt;

/** Who calls. */
public final class CallerId {
    private CallerId() {}

    /** The token's subject. Locally any name that is a user id will do. */
    public static UserId of(Jwt token) {
        try {
            return new UserId(String.valueOf(token.getSubject()));
        } catch (IllegalArgumentException noUserId) {
            throw Problem.FORBIDDEN.because("The token's subject is no user id. " + noUserId.getMessage());
        }
    }
}
