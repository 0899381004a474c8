package dev.berth.rest.fleet;

import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.risk.SuspensionStore.Suspension;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.risk.SendGates;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.worker.FleetSwitch;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;

/**
 * Suspends or resumes all users: first in PostgreSQL, which every start reads, then at the send
 * gates of all workers, then by a signal to all lifecycles.
 */
@Component
class FleetSuspension {
    private static final Logger LOG = LoggerFactory.getLogger(FleetSuspension.class);

    private static final String JOB = "fleet-switch-";
    private static final String NOT_APPLIED = "The change is stored, but does not count for every order yet. It does"
            + " within seconds once all servers answer. Repeat the call: that is harmless.";

    private final SuspensionStore suspensions;
    private final SendGates gates;
    private final LifecycleWorkflowClient lifecycles;
    private final RequestAudit audit;

    FleetSuspension(
            SuspensionStore suspensions, SendGates gates, LifecycleWorkflowClient lifecycles, RequestAudit audit) {
        this.suspensions = suspensions;
        this.gates = gates;
        this.lifecycles = lifecycles;
        this.audit = audit;
    }

    /**
     * Returns when it counts: no order passes a send gate after a suspension. May be repeated: a
     * lifecycle ignores a change that is older than its last one.
     *
     * @throws Problem.Refusal when the change is stored, but the gates do not have it, or the
     *     running workers could not be signalled; both follow
     */
    FleetSwitch change(boolean suspended, String reason, Jwt operator) {
        AuditAction action = suspended ? AuditAction.SUSPEND_ALL : AuditAction.RESUME_ALL;
        String by = ReasonBody.name(operator);
        Suspension stored =
                audit.change(operator, action, null, reason, () -> suspensions.change(null, suspended, reason, by));
        FleetSwitch change = SwitchChange.of(stored).now();
        LOG.warn("all workers {} by {}: {}", suspended ? "suspended" : "resumed", by, reason);
        if (suspended) {
            gates.hold(NOT_APPLIED);
        } else {
            gates.release(NOT_APPLIED);
        }
        try {
            lifecycles.signalAll(change, JOB + change.version());
        } catch (StatusRuntimeException failure) {
            LOG.warn("cannot signal switch {} to the running workers", change.version(), failure);
            throw Problem.UNAVAILABLE.because(
                    "The change counts for every order and every start, but the running workers"
                            + " could not be signalled yet. Repeat the call: that is harmless.");
        }
        return change;
    }

    /** Signals the change once more, even when several processes call this. */
    void repeat(FleetSwitch change) {
        lifecycles.signalAll(change, JOB + change.version() + "-repeated");
    }
}
