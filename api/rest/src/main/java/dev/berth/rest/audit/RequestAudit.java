package dev.berth.rest.audit;

import dev.berth.rest.Problem;
import dev.berth.rest.identity.TokenClaims;
import dev.berth.workflows.UserId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Records the call of the current thread: its token's subject and scopes, and its header {@code
 * X-Request-Id}. A call that cannot be recorded is refused with 503.
 */
@Component
public class RequestAudit {
    private static final Logger LOG = LoggerFactory.getLogger(RequestAudit.class);
    private static final String REQUEST_ID = "X-Request-Id";

    private final AuditLog audit;
    private final HttpServletRequest request;

    /**
     * Records in a log.
     *
     * @param request the proxy of the request that the current thread serves
     */
    public RequestAudit(AuditLog audit, HttpServletRequest request) {
        this.audit = audit;
        this.request = request;
    }

    /**
     * Records a read of one user's data, or of all users'. Call it before the read.
     *
     * @param userId null for all users
     * @param detail what was read, without any secret
     */
    public void read(Jwt caller, AuditAction action, @Nullable UserId userId, String detail) {
        commands(List.of(entry(caller, action, userId, detail)));
    }

    /**
     * Records a read that shows less without a record.
     *
     * @return false when PostgreSQL does not answer: then show no order, account or reason of a
     *     user
     */
    public boolean recordRead(Jwt caller, AuditAction action, @Nullable UserId userId, String detail) {
        try {
            read(caller, action, userId, detail);
            return true;
        } catch (Problem.Refusal unrecorded) {
            return false;
        }
    }

    /**
     * Records a command whose effect is outside of PostgreSQL. Call it before the effect.
     *
     * @param userId null for all users
     * @param detail the reason, without any secret
     */
    public void command(Jwt caller, AuditAction action, @Nullable UserId userId, String detail) {
        commands(List.of(entry(caller, action, userId, detail)));
    }

    /** Records what one call asks for: all of it or nothing. */
    public void commands(List<AuditEntry> entries) {
        try {
            audit.request(entries);
        } catch (DataAccessException | TransactionException unavailable) {
            LOG.warn("a call cannot be recorded, since the audit does not answer: {}", unavailable.getMessage());
            throw Problem.UNAVAILABLE.because("PostgreSQL does not answer, so the call cannot be recorded in the audit."
                    + " Nothing was done. Try again in a few seconds.");
        }
    }

    /**
     * Makes a change in PostgreSQL and records it in the same transaction.
     *
     * @param detail the new value and the reason, without any secret
     */
    public <T> T change(Jwt caller, AuditAction action, @Nullable UserId userId, String detail, Supplier<T> change) {
        return audit.change(entry(caller, action, userId, detail), change);
    }

    /** An entry of this call. The actor is the subject, as the identity provider names it. */
    public AuditEntry entry(Jwt caller, AuditAction action, @Nullable UserId userId, String detail) {
        AuditActor actor = new AuditActor(
                String.valueOf(caller.getSubject()),
                Objects.toString(caller.getClaimAsString(TokenClaims.SCOPE), ""),
                request.getHeader(REQUEST_ID));
        return new AuditEntry(actor, action, userId, detail);
    }
}
