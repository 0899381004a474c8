package dev.berth.rest.identity;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.CallerId;
import dev.berth.rest.Problem;
import dev.berth.rest.Scope;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tells who a token's subject is to Berth. */
@RestController
@RequestMapping("/v1")
@Tag(name = "identity")
class IdentityController {
    private final String issuer;

    IdentityController(BerthSettings settings) {
        this.issuer = settings.auth().issuer();
    }

    /**
     * Who calls.
     *
     * @param userId absent when Berth itself uses the subject
     * @param subject the name that the identity provider gives
     * @param scopes what the token permits
     */
    record Me(@Nullable UserId userId, String subject, String issuer, Set<Scope> scopes, Instant expiresAt) {}

    @GetMapping("/me")
    @Operation(
            summary = "Who I am",
            description = "What Berth reads in the token: its user and what it permits. The scope fleet is shown as the"
                    + " three that it stands for. userId is absent for a subject that Berth itself uses.")
    Me me(@AuthenticationPrincipal Jwt token) {
        Subject subject = Subject.of(token);
        return new Me(
                subject.userId().orElse(null),
                subject.name(),
                subject.issuer(),
                Scope.granted(token),
                CallerId.expiry(token));
    }

    /** A user, and the subject that is this user. */
    record User(UserId userId, String subject, String issuer) {}

    @GetMapping("/fleet/users")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(
            summary = "The user id of a subject",
            description = "Computed, so the user need not have called yet: the answer says nothing about whether the"
                    + " identity provider knows the subject. 404 for a subject that Berth itself uses.")
    User user(@RequestParam @Schema(minLength = 1, maxLength = 255) String subject) {
        UserId userId = new Subject(issuer, subject)
                .userId()
                .orElseThrow(() -> Problem.NOT_FOUND.because("Berth itself uses this subject. No user has it."));
        return new User(userId, subject, issuer);
    }
}
