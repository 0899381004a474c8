package dev.berth.workflows.maintenance;

import java.util.List;
import java.util.Map;

/**
 * What one look at the fleet found.
 *
 * @param marks of users' workers
 * @param tasks of the fleet, the pool's among them
 * @param suspected seen for the first time: not found yet, since absence needs two proofs
 * @param found with two proofs, by kind; kinds without any are left out
 * @param drifts what was found, or as much of it as is healed in one sweep
 * @param stopsPerMinute how many processes all sweeps together may end in this minute
 * @param millis how long the look took
 */
public record SweepView(
        int marks,
        int tasks,
        int suspected,
        Map<DriftKind, Integer> found,
        List<Drift> drifts,
        int stopsPerMinute,
        long millis) {
    /** More is found again by the next sweep. */
    public static final int MOST_DRIFTS = 1000;
    /** Characters of all users and subjects; with what stands around them, the answer stays below 100 KB. */
    public static final int MOST_CHARACTERS = 30_000;

    public SweepView {
        found = Map.copyOf(found);
        drifts = List.copyOf(drifts);
    }
}
