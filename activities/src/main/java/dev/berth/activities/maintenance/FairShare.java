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
 * Which of the drifts that were found one sweep heals, when they are too many: the kinds take turns, and within a kind
 * chance decides. Otherwise those that can not be healed, or are over the kill budget, would keep the others waiting for
 * ever.
 */
final class FairShare {
    private FairShare() {}

    /** As many as one sweep heals, and as fit into one answer. */
    static List<Drift> of(List<Sighting> proven) {
        List<Sighting> shuffled = new ArrayList<>(proven);
        Collections.shuffle(shuffled);
        Map<DriftKind, List<Drift>> byKind =
                shuffled.stream().map(Sighting::drift).collect(Collectors.groupingBy(Drift::kind));
        List<Drift> share = new ArrayList<>();
        int characters = 0;
        for (int turn = 0; share.size() < proven.size(); turn++) {
            for (List<Drift> kind : byKind.values()) {
                if (turn < kind.size()) {
                    Drift drift = kind.get(turn);
                    characters += drift.who().length() + drift.subject().length();
                    if (share.size() == SweepView.MOST_DRIFTS || characters > SweepView.MOST_CHARACTERS) {
                        return share;
                    }
                    share.add(drift);
                }
            }
        }
        return share;
    }
}
