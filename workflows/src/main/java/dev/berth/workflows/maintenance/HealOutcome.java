package dev.berth.workflows.maintenance;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of a batch.
 *
 * @param healed by kind, without zeros
 * @param resolved drift that no longer existed
 * @param inProgress drift that the owner already handles
 * @param overBudget drift that the stop budget left for a later sweep
 * @param failures one sentence each; the next sweep retries
 */
public record HealOutcome(
        Map<DriftKind, Integer> healed, int resolved, int inProgress, int overBudget, List<String> failures) {
    public static final HealOutcome NONE = new HealOutcome(Map.of(), 0, 0, 0, List.of());

    /** The log has the others. */
    private static final int FAILURES_KEPT = 5;

    public HealOutcome {
        healed = Map.copyOf(healed);
        failures = List.copyOf(failures);
    }

    static HealOutcome failed(String reason) {
        return new HealOutcome(Map.of(), 0, 0, 0, List.of(reason));
    }

    HealOutcome plus(HealOutcome other) {
        Map<DriftKind, Integer> sum = new EnumMap<>(DriftKind.class);
        sum.putAll(healed);
        other.healed.forEach((kind, number) -> sum.merge(kind, number, Integer::sum));
        List<String> allFailures = Stream.concat(failures.stream(), other.failures.stream())
                .limit(FAILURES_KEPT)
                .toList();
        return new HealOutcome(
                sum,
                resolved + other.resolved,
                inProgress + other.inProgress,
                overBudget + other.overBudget,
                allFailures);
    }
}
