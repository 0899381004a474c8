package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;

/**
 * What a rule saw.
 *
 * @param isProven something said so directly, or who is told of it looks for itself before anything is done; else it is
 *     only absent, and the next sweep must not see it either
 */
record Sighting(Drift drift, boolean isProven) {
    static Sighting absent(Drift drift) {
        return new Sighting(drift, false);
    }

    static Sighting proven(Drift drift) {
        return new Sighting(drift, true);
    }
}
