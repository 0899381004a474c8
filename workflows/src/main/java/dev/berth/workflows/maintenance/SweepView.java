package dev.berth.workflows.maintenance;

import java.util.List;
import java.util.Map;

/**
 * The fleet and its drift.
 *
 * @param heartbeats of users' workers
 * @param tasks of the fleet, including those of the pool
 * @param suspected drift that a second sweep has to confirm
 * @param found confirmed drift by kind, without zeros
 * @param drifts the confirmed drift, at most as much as one sweep heals
 * @param stopsPerMinute limit for the stops of all sweeps in this minute
 * @param millis duration of the read
 */
public record SweepView(
        int heartbeats,
        int tasks,
        int suspected,
        Map<DriftKind, Integer> found,
        List<Drift> drifts,
        int stopsPerMinute,
        long millis) {
    /** The next sweep finds the others again. */
    public static final int DRIFT_LIMIT = 1000;
    /** Characters of all users and subjects, so that the whole result stays below 100 KB. */
    public static final int CHARACTER_LIMIT = 30_000;

    public SweepView {
        found = Map.copyOf(found);
        drifts = List.copyOf(drifts);
    }
}
