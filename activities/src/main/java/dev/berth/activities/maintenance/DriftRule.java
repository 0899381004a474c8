package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;

/** Detects and heals one kind of drift. */
interface DriftRule {
    /** The result of a heal. */
    enum Result {
        /** The owner was signalled; or the drift without an owner was healed. */
        HEALED,
        /** The drift no longer exists. */
        RESOLVED,
        /** The owner already handles the drift. */
        IN_PROGRESS
    }

    DriftKind kind();

    /** Reads nothing but the snapshot. */
    List<DriftObservation> find(FleetSnapshot fleet);

    /** Checks the drift again, and signals its owner. Repeatable. */
    Result heal(Drift drift);
}
