package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;

/**
 * A drift that a rule found.
 *
 * @param isProven with direct proof, or the owner checks again before it acts; otherwise something
 *     is only missing, and the next sweep has to confirm that
 */
record DriftObservation(Drift drift, boolean isProven) {
    static DriftObservation suspected(Drift drift) {
        return new DriftObservation(drift, false);
    }

    static DriftObservation proven(Drift drift) {
        return new DriftObservation(drift, true);
    }
}
