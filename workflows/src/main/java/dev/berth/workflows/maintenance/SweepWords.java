package dev.berth.workflows.maintenance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A sweep in plain words, for the Web UI and the log. */
final class SweepWords {
    private static final int NAMED = 3;

    private SweepWords() {}

    static String failed(String why) {
        return "Could not look, so nothing was done: " + why;
    }

    static String of(SweepView view, HealOutcome healed) {
        String looked =
                "Looked at %d workers and %d tasks in %d ms: ".formatted(view.marks(), view.tasks(), view.millis());
        List<String> parts = new ArrayList<>();
        for (DriftKind kind : DriftKind.values()) {
            int found = view.found().getOrDefault(kind, 0);
            if (found > 0) {
                parts.add("%d %s (%s), healed %d"
                        .formatted(
                                found,
                                kind.words(),
                                names(kind, view),
                                healed.healed().getOrDefault(kind, 0)));
            }
        }
        add(parts, view.suspected(), "suspected, looked at again by the next sweep");
        add(parts, healed.gone(), "well again meanwhile");
        add(parts, healed.later(), "left to the owner, who is at it");
        add(parts, healed.overBudget(), "not stopped, since the kill budget of this minute is used up");
        parts.addAll(healed.failures());
        return looked + (parts.isEmpty() ? "all well" : String.join("; ", parts));
    }

    private static void add(List<String> parts, int number, String what) {
        if (number > 0) {
            parts.add(number + " " + what);
        }
    }

    private static String names(DriftKind kind, SweepView view) {
        List<String> all = view.drifts().stream()
                .filter(drift -> drift.kind() == kind)
                .map(Drift::who)
                .toList();
        String first = all.stream().limit(NAMED).collect(Collectors.joining(", "));
        return all.size() > NAMED ? first + ", …" : first;
    }
}
