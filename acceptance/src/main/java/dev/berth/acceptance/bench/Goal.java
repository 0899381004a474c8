package dev.berth.acceptance.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What a figure should not exceed, in the unit of its samples.
 *
 * @param median of half of the samples
 * @param p99 of 99 in 100
 * @param most of every one
 */
record Goal(OptionalDouble median, OptionalDouble p99, OptionalDouble most) {
    static final Goal NONE = new Goal(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    static Goal median(double bound) {
        return new Goal(OptionalDouble.of(bound), OptionalDouble.empty(), OptionalDouble.empty());
    }

    static Goal medianAndP99(double median, double p99) {
        return new Goal(OptionalDouble.of(median), OptionalDouble.of(p99), OptionalDouble.empty());
    }

    static Goal p99(double bound) {
        return new Goal(OptionalDouble.empty(), OptionalDouble.of(bound), OptionalDouble.empty());
    }

    static Goal most(double bound) {
        return new Goal(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.of(bound));
    }

    /** The bounds, each with whether it was met; empty without one. */
    String verdict(Samples samples) {
        List<String> said = new ArrayList<>();
        median.ifPresent(bound -> said.add(judge("median", bound, samples.median())));
        p99.ifPresent(bound -> said.add(judge("p99", bound, samples.quantile(0.99))));
        most.ifPresent(bound -> said.add(judge("max", bound, samples.quantile(1))));
        return String.join(", ", said);
    }

    private static String judge(String what, double bound, double figure) {
        String number = bound == Math.rint(bound) ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, "%s ≤ " + number + " %s", what, bound, figure <= bound ? "met" : "MISSED");
    }
}
