package dev.berth.activities.worker;

import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.risk.SuspensionStore.Suspension;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Tells lifecycles whether their users are suspended, as PostgreSQL has it. */
public final class SuspensionSignals {
    private final SuspensionStore suspensions;
    private final LifecycleWorkflowClient lifecycles;

    public SuspensionSignals(SuspensionStore suspensions, LifecycleWorkflowClient lifecycles) {
        this.suspensions = suspensions;
        this.lifecycles = lifecycles;
    }

    /** The users who are suspended by themselves, not with all users. */
    public Set<UserId> suspended() {
        return suspensions.suspendedUsers();
    }

    /** Whether this user is among them. */
    public boolean isSuspended(UserId userId) {
        return suspensions.newest(userId).filter(Suspension::suspended).isPresent();
    }

    /**
     * Signals the last change to the user's lifecycle, and the one after it when an operator made
     * one meanwhile: of two calls at once the later change is the last signal. Does nothing for a
     * user who was never suspended. Repeatable.
     */
    public void signal(UserId userId) {
        Optional<Suspension> newest = suspensions.newest(userId);
        while (newest.isPresent()) {
            Suspension change = newest.get();
            if (change.suspended()) {
                lifecycles.signalWithStart(
                        userId, lifecycle -> lifecycle.suspend(change.reason() + " (" + change.by() + ")"));
            } else {
                lifecycles.signal(userId, WorkerLifecycleWorkflow::resume);
            }
            if (suspensions.recordSignalled(change.version())) {
                return;
            }
            newest = suspensions.newest(userId);
        }
    }

    /**
     * Signals what was stored and never signalled: the process that stored it may have ended.
     *
     * @param age of the changes; the signal of a younger one may be under way
     */
    public void repeatUnsignalled(Duration age) {
        suspensions.unsignalled(age).stream()
                .map(change -> Objects.requireNonNull(change.userId()))
                .forEach(this::signal);
    }
}
