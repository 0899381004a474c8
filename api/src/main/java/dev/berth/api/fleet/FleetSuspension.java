package dev.berth.api.fleet;

import dev.berth.activities.audit.AuditAction;
import dev.berth.activities.temporal.LifecycleGateway;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.api.Problem;
import dev.berth.api.ReasonBody;
import dev.berth.api.audit.RequestAudit;
import dev.berth.workflows.worker.FleetSwitch;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;

/**
 * Suspends or resumes all workers: first in PostgreSQL, which every start reads, then by a signal
 * to all lifecycles.
 */
@Component
class FleetSuspension {
    private static final Logger LOG = LoggerFactory.getLogger(FleetSuspension.class);

    private static final String JOB = "fleet-switch-";

    private final PostgresFleetSwitches switches;
    private final LifecycleGateway lifecycles;
    private final RequestAudit audit;

    FleetSuspension(PostgresFleetSwitches switches, LifecycleGateway lifecycles, RequestAudit audit) {
        this.switches = switches;
        this.lifecycles = lifecycles;
        this.audit = audit;
    }

    /**
     * May be repeated: a lifecycle ignores a change that is older than its last one.
     *
     * @throws Problem.Refusal when the change is stored, but the running workers could not be
     *     signalled
     */
    FleetSwitch change(boolean suspended, String reason, Jwt operator) {
        AuditAction action = suspended ? AuditAction.SUSPEND_ALL : AuditAction.RESUME_ALL;
        String by = ReasonBody.name(operator);
        FleetSwitch change = audit.change(operator, action, null, reason, () -> switches.change(suspended, reason, by));
        LOG.warn("all workers {} by {}: {}", suspended ? "suspended" : "resumed", by, reason);
        try {
            lifecycles.signalAll(change, JOB + change.version());
        } catch (StatusRuntimeException failure) {
            LOG.warn("cannot signal switch {} to the running workers", change.version(), failure);
            throw Problem.UNAVAILABLE.because("The change applies to every start, but the running workers could not be"
                    + " signalled. Repeat the call: that is harmless.");
        }
        return change;
    }

    /** Signals the change once more, even when several processes call this. */
    void repeat(FleetSwitch change) {
        lifecycles.signalAll(change, JOB + change.version() + "-repeated");
    }
}
