package dev.berth.workflows.maintenance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A sweep as text, for the Web UI and the log. */
final class SweepFormatter {
    private static final int NAMED = 3;

    private SweepFormatter() {}

    static String failed(String reason) {
        return "Cannot read the fleet, so nothing was healed: " + reason;
    }

    static String of(SweepView view, HealOutcome healed) {
        String read =
                "Read %s workers and %s tasks in %s ms: ".formatted(view.heartbeats(), view.tasks(), view.millis());
        List<String> parts = new ArrayList<>();
        for (DriftKind kind : DriftKind.values()) {
            int found = view.found().getOrDefault(kind, 0);
            if (found > 0) {
                parts.add("%s %s (%s), healed %s"
                        .formatted(
                                found,
                                kind.text(),
                                names(kind, view),
                                healed.healed().getOrDefault(kind, 0)));
            }
        }
        add(parts, view.suspected(), "suspected, to be confirmed by the next sweep");
        add(parts, healed.resolved(), "resolved meanwhile");
        add(parts, healed.inProgress(), "in progress at the owner");
        add(parts, healed.overBudget(), "not stopped, since the stop budget of this minute is used up");
        parts.addAll(healed.failures());
        return read + (parts.isEmpty() ? "no drift" : String.join("; ", parts));
    }

    private static void add(List<String> parts, int number, String what) {
        if (number > 0) {
            parts.add(number + " " + what);
        }
    }

    private static String names(DriftKind kind, SweepView view) {
        List<String> all = view.drifts().stream()
                .filter(drift -> drift.kind() == kind)
                .map(Drift::owner)
                .toList();
        String first = all.stream().limit(NAMED).collect(Collectors.joining(", "));
        return all.size() > NAMED ? first + ", …" : first;
    }
}
