package dev.berth.activities.maintenance;

import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A suspended user whose lifecycle does not know of the suspension, for example after a manual
 * termination. The send gates hold the user's orders meanwhile. The lifecycle is told again.
 */
record SuspendedWorker(SuspensionSignals suspensions) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.SUSPENDED_WORKER;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.recorded().suspended().stream()
                .filter(user -> !knows(fleet.lifecycles().get(user)))
                .map(user -> DriftObservation.suspected(new Drift(kind(), user, "", 0)))
                .toList();
    }

    /** A lifecycle that is told drains its worker first. Null without a lifecycle. */
    private static boolean knows(@Nullable WorkerPhase phase) {
        return phase == WorkerPhase.SUSPENDED || phase == WorkerPhase.DRAINING;
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        if (!suspensions.isSuspended(user)) {
            return Result.RESOLVED;
        }
        suspensions.signal(user);
        return Result.HEALED;
    }
}
