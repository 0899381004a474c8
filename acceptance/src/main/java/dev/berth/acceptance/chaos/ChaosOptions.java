package dev.berth.acceptance.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a fault run.
 *
 * @param length the time in which faults are injected
 * @param planOnly prints the plan and starts nothing
 */
record ChaosOptions(Duration length, long seed, Set<FaultKind> kinds, boolean planOnly) {
    static final String USAGE = "Usage: ./berth chaos [--minutes N] [--seed S] [--faults KIND,...] [--plan]; kinds: "
            + Arrays.stream(FaultKind.values()).map(FaultKind::word).collect(Collectors.joining(", "));

    private static final int MINUTES = 5;
    private static final Duration LONGEST = Duration.ofDays(1);

    ChaosOptions {
        kinds = Set.copyOf(kinds);
    }

    /**
     * Reads the command line.
     *
     * @param seed the default
     * @throws IllegalArgumentException with the reason
     */
    static ChaosOptions parse(long seed, String... arguments) {
        Duration length = Duration.ofMinutes(MINUTES);
        Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
        boolean planOnly = false;
        for (int index = 0; index < arguments.length; index++) {
            String option = arguments[index];
            if (option.equals("--plan")) {
                planOnly = true;
                continue;
            }
            if (!Set.of("--minutes", "--seed", "--faults").contains(option)) {
                throw new IllegalArgumentException("there is no option '" + option + "'.");
            }
            if (++index == arguments.length) {
                throw new IllegalArgumentException(option + " has no value.");
            }
            String value = arguments[index];
            switch (option) {
                case "--minutes" -> length = minutes(value);
                case "--seed" -> seed = seed(value);
                default -> kinds = kinds(value);
            }
        }
        return new ChaosOptions(length, seed, kinds, planOnly);
    }

    private static Duration minutes(String value) {
        if (value.matches("[1-9]\\d{0,3}") && Integer.parseInt(value) <= LONGEST.toMinutes()) {
            return Duration.ofMinutes(Integer.parseInt(value));
        }
        throw new IllegalArgumentException("--minutes takes a whole number, from 1 to " + LONGEST.toMinutes() + ".");
    }

    private static long seed(String value) {
        if (value.matches("\\d{1,18}")) {
            return Long.parseLong(value);
        }
        throw new IllegalArgumentException("--seed takes a whole number.");
    }

    private static Set<FaultKind> kinds(String value) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String word : value.split(",", -1)) {
            kinds.add(FaultKind.of(word)
                    .orElseThrow(() -> new IllegalArgumentException("there is no fault called '" + word + "'.")));
        }
        return kinds;
    }

    FaultPlan plan() {
        return FaultPlan.of(seed, length, kinds);
    }
}
