package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.TradingUsers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The faults of a run, determined by the seed. Every kind occurs before one repeats; the kinds of
 * workers, of which there are many, occur three times.
 *
 * @param length the length of the run; every fault ends within it
 * @param faults the faults in order of time
 */
record FaultPlan(long seed, Duration length, List<PlannedFault> faults) {
    private static final int MORE_OF_WORKERS = 2;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int SHORTEST_PAUSE_MILLIS = 5_000;
    private static final int LONGEST_PAUSE_MILLIS = 8_000;

    FaultPlan {
        faults = List.copyOf(faults);
    }

    /**
     * Makes the same plan for the same arguments in every release.
     *
     * @param kinds at least one
     */
    static FaultPlan of(long seed, Duration length, Set<FaultKind> kinds) {
        Random random = new Random(seed);
        List<PlannedFault> faults = new ArrayList<>();
        List<FaultKind> round = new ArrayList<>();
        Duration at = FIRST;
        while (at.compareTo(length) < 0) {
            if (round.isEmpty()) {
                round.addAll(EnumSet.copyOf(kinds));
                kinds.stream()
                        .filter(kind -> kind.target().equals(FaultKind.WORKER))
                        .sorted()
                        .forEach(kind -> round.addAll(Collections.nCopies(MORE_OF_WORKERS, kind)));
                Collections.shuffle(round, random);
            }
            FaultKind kind = round.removeLast();
            Duration lasts = kind.duration(random);
            Duration left = length.minus(at);
            faults.add(new PlannedFault(
                    at, kind, random.nextInt(TradingUsers.SIZE), lasts.compareTo(left) < 0 ? lasts : left));
            at = at.plusMillis(random.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS + 1));
        }
        return new FaultPlan(seed, length, faults);
    }

    /** One line per fault. */
    String text() {
        return faults.stream().map(PlannedFault::toString).collect(Collectors.joining("\n"));
    }
}
