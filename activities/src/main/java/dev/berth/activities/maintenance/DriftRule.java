package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;

/** One way in which reality drifts: how it is seen, and how it is healed. */
interface DriftRule {
    DriftKind kind();

    /** Reads nothing but the view. */
    List<Sighting> look(FleetView fleet);

    /** Looks at this one once more, and tells its owner. Repeatable. */
    Healed heal(Drift drift);
}
