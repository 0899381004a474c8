package dev.berth.workflows.maintenance;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What became of a batch.
 *
 * @param healed by kind; kinds without any are left out
 * @param gone looked at again, it was well
 * @param later the owner is busy with it already, or not at rest
 * @param overBudget too many processes would have ended within a minute
 * @param failures one sentence each; the next sweep tries again
 */
public record HealOutcome(Map<DriftKind, Integer> healed, int gone, int later, int overBudget, List<String> failures) {
    public static final HealOutcome NONE = new HealOutcome(Map.of(), 0, 0, 0, List.of());

    /** So many failures are told in words; the rest is in the log. */
    private static final int FAILURES_TOLD = 5;

    public HealOutcome {
        healed = Map.copyOf(healed);
        failures = List.copyOf(failures);
    }

    static HealOutcome failed(String why) {
        return new HealOutcome(Map.of(), 0, 0, 0, List.of(why));
    }

    HealOutcome and(HealOutcome other) {
        Map<DriftKind, Integer> sum = new EnumMap<>(DriftKind.class);
        sum.putAll(healed);
        other.healed.forEach((kind, number) -> sum.merge(kind, number, Integer::sum));
        List<String> told = Stream.concat(failures.stream(), other.failures.stream())
                .limit(FAILURES_TOLD)
                .toList();
        return new HealOutcome(sum, gone + other.gone, later + other.later, overBudget + other.overBudget, told);
    }
}
