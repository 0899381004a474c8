package dev.berth.rest.fleet;

import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.risk.SendGates;
import dev.berth.workflows.UserId;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;

/**
 * Suspends or resumes one user: first in PostgreSQL, then at the send gates of all workers, then by
 * a signal to the user's lifecycle.
 */
@Component
class UserSuspension {
    private static final Logger LOG = LoggerFactory.getLogger(UserSuspension.class);
    private static final String NOT_APPLIED = "The change is stored, but does not count for every order yet. It does"
            + " within seconds once all servers answer. Repeat the call: that is harmless.";
    private static final String NOT_SIGNALLED = "The change counts for every order, but the user's worker could not be"
            + " signalled; that is repeated. You may repeat the call: that is harmless.";

    private final SuspensionStore suspensions;
    private final SendGates gates;
    private final SuspensionSignals signals;
    private final RequestAudit audit;

    UserSuspension(SuspensionStore suspensions, SendGates gates, SuspensionSignals signals, RequestAudit audit) {
        this.suspensions = suspensions;
        this.gates = gates;
        this.signals = signals;
        this.audit = audit;
    }

    /**
     * Returns when no order of the user passes a send gate. May be repeated.
     *
     * @throws Problem.Refusal when the suspension is stored, but the gates do not have it, or the
     *     lifecycle could not be signalled; both follow
     */
    void suspend(UserId userId, ReasonBody reason, Jwt operator) {
        store(AuditAction.SUSPEND_WORKER, userId, true, reason, operator);
        gates.hold(NOT_APPLIED);
        signalOrRefuse(userId);
    }

    /**
     * Ends the suspension, if there is one. May be repeated.
     *
     * @throws Problem.Refusal as {@link #suspend}
     */
    void resume(UserId userId, ReasonBody reason, Jwt operator) {
        store(AuditAction.RESUME_WORKER, userId, false, reason, operator);
        gates.release(NOT_APPLIED);
        signalOrRefuse(userId);
    }

    private void store(AuditAction action, UserId userId, boolean suspended, ReasonBody reason, Jwt operator) {
        String by = ReasonBody.name(operator);
        String text = reason.text();
        audit.change(operator, action, userId, text, () -> suspensions.change(userId, suspended, text, by));
    }

    private void signalOrRefuse(UserId userId) {
        try {
            signals.signal(userId);
        } catch (StatusRuntimeException | WorkflowServiceException failure) {
            LOG.warn("cannot signal the suspension of {} or its end", userId, failure);
            throw Problem.UNAVAILABLE.because(NOT_SIGNALLED);
        }
    }
}
