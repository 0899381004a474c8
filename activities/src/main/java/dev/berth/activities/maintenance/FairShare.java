package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.SweepView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Selects the drift that one sweep heals: the kinds alternate, in random order within a kind.
 * Otherwise drift that cannot be healed, or is over the stop budget, would block the others for
 * ever.
 */
final class FairShare {
    private FairShare() {}

    /** At most as much as one sweep heals, and as fits into one payload. */
    static List<Drift> of(List<DriftObservation> confirmed) {
        List<DriftObservation> shuffled = new ArrayList<>(confirmed);
        Collections.shuffle(shuffled);
        Map<DriftKind, List<Drift>> byKind =
                shuffled.stream().map(DriftObservation::drift).collect(Collectors.groupingBy(Drift::kind));
        List<Drift> share = new ArrayList<>();
        int characters = 0;
        for (int turn = 0; share.size() < confirmed.size(); turn++) {
            for (List<Drift> kind : byKind.values()) {
                if (turn < kind.size()) {
                    Drift drift = kind.get(turn);
                    characters += drift.owner().length() + drift.subject().length();
                    if (share.size() == SweepView.DRIFT_LIMIT || characters > SweepView.CHARACTER_LIMIT) {
                        return share;
                    }
                    share.add(drift);
                }
            }
        }
        return share;
    }
}
