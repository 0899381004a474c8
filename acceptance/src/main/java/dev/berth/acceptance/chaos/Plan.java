package dev.berth.acceptance.chaos;

import dev.berth.acceptance.bench.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What goes wrong and when, fixed by the seed before anything starts. Every kind has its turn before one comes
 * again; those of workers, of which there are many, have three.
 *
 * @param length of the run; nothing lasts longer
 * @param faults in the order of time
 */
record Plan(long seed, Duration length, List<Fault> faults) {
    private static final int MORE_OF_WORKERS = 2;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int SHORTEST_PAUSE_MILLIS = 5_000;
    private static final int LONGEST_PAUSE_MILLIS = 8_000;

    Plan {
        faults = List.copyOf(faults);
    }

    /**
     * The same for the same arguments, always.
     *
     * @param kinds at least one
     */
    static Plan of(long seed, Duration length, Set<FaultKind> kinds) {
        Random random = new Random(seed);
        List<Fault> faults = new ArrayList<>();
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
            Duration lasts = kind.lasts(random);
            Duration left = length.minus(at);
            faults.add(new Fault(at, kind, random.nextInt(Crew.SIZE), lasts.compareTo(left) < 0 ? lasts : left));
            at = at.plusMillis(random.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS + 1));
        }
        return new Plan(seed, length, faults);
    }

    /** A line a fault. */
    String text() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("\n"));
    }
}
