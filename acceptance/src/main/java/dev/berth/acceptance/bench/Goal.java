package dev.berth.acceptance.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The bounds of a figure, in the unit of its samples.
 *
 * @param median the bound of the median
 * @param p99 the bound of the 99th percentile
 * @param most the bound of every sample
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

    /** Each bound and whether the samples meet it; empty without a bound. */
    String verdict(Measurements samples) {
        List<String> verdicts = new ArrayList<>();
        median.ifPresent(bound -> verdicts.add(judge("median", bound, samples.median())));
        p99.ifPresent(bound -> verdicts.add(judge("p99", bound, samples.quantile(0.99))));
        most.ifPresent(bound -> verdicts.add(judge("max", bound, samples.quantile(1))));
        return String.join(", ", verdicts);
    }

    private static String judge(String what, double bound, double figure) {
        String number = bound == Math.rint(bound) ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, "%s ≤ " + number + " %s", what, bound, figure <= bound ? "met" : "MISSED");
    }
}
