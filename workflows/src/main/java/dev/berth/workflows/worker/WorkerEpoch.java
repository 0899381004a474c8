package dev.berth.workflows.worker;

import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** The user's epoch and heartbeat key in Redis: a process with an earlier epoch serves no user. */
final class WorkerEpoch {
    private final WorkerHeartbeats heartbeats =
            Workflow.newLocalActivityStub(WorkerHeartbeats.class, WorkerPolicies.quick());
    private final Lifecycle lifecycle;

    WorkerEpoch(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /**
     * From now on no process with an earlier epoch can claim the user, or renew its heartbeat key.
     */
    void raise() {
        long next = lifecycle.state().raised() + 1;
        for (long stored = heartbeats.raiseEpoch(lifecycle.userId(), next); stored > next; ) {
            next = stored + 1;
            stored = heartbeats.raiseEpoch(lifecycle.userId(), next);
        }
        long raised = next;
        lifecycle.update(state -> state.withRaised(raised));
    }

    /** The epoch that Redis knows; 0 when it knows none. */
    long stored() {
        return heartbeats.raiseEpoch(lifecycle.userId(), 0);
    }

    /** Puts back what Redis lost. */
    void restore() {
        long stored =
                heartbeats.raiseEpoch(lifecycle.userId(), lifecycle.state().raised());
        lifecycle.update(state -> state.withRaised(stored));
    }

    /** Reuses an epoch that no process has; raises another one if Redis knows a higher one. */
    void reuse() {
        long unused = lifecycle.state().raised();
        restore();
        if (lifecycle.state().raised() > unused) {
            raise();
        }
    }

    /**
     * No process may take the current epoch any more; one that took it late loses its heartbeat
     * key.
     */
    void revoke() {
        raise();
        deleteHeartbeatKey();
    }

    /**
     * How long the lease of the current epoch's process may last yet; a higher epoch was raised.
     */
    Duration leaseLeft() {
        return heartbeats.leaseLeft(lifecycle.userId(), lifecycle.state().epoch());
    }

    boolean hasWaitingOrders() {
        return heartbeats.hasWaitingOrders(lifecycle.userId());
    }

    HeartbeatKeyState heartbeatKey() {
        return heartbeats.readKey(lifecycle.userId());
    }

    /**
     * The process of the current epoch is gone: its heartbeat key must not keep the successor out.
     */
    void deleteHeartbeatKey() {
        heartbeats.deleteKey(lifecycle.userId(), lifecycle.state().epoch());
    }
}
