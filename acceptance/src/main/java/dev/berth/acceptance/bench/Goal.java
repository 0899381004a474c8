package dev.berth.acceptance.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The bounds of a figure, in the unit of its samples. */
record Goal(List<Bound> bounds) {
    static final Goal NONE = new Goal(List.of());

    /**
     * A bound of one of the figures.
     *
     * @param least whether the figure must not be less; else it must not be more
     */
    private record Bound(Figure figure, boolean least, double value) {
        boolean isMet(Measurements samples) {
            double value = figure.of(samples);
            return least ? value >= this.value : value <= this.value;
        }

        @Override
        public String toString() {
            String number = value == Math.rint(value) ? "%.0f" : value * 10 == Math.rint(value * 10) ? "%.1f" : "%.2f";
            return String.format(Locale.ROOT, "%s %s " + number, figure.symbol, least ? "≥" : "≤", value);
        }
    }

    private enum Figure {
        MEDIAN("median"),
        P99("p99"),
        MAX("max");

        private final String symbol;

        Figure(String symbol) {
            this.symbol = symbol;
        }

        double of(Measurements samples) {
            return switch (this) {
                case MEDIAN -> samples.median();
                case P99 -> samples.quantile(0.99);
                case MAX -> samples.quantile(1);
            };
        }
    }

    static Goal median(double bound) {
        return new Goal(List.of(new Bound(Figure.MEDIAN, false, bound)));
    }

    static Goal medianAtLeast(double bound) {
        return new Goal(List.of(new Bound(Figure.MEDIAN, true, bound)));
    }

    static Goal medianAndP99(double median, double p99) {
        return new Goal(List.of(new Bound(Figure.MEDIAN, false, median), new Bound(Figure.P99, false, p99)));
    }

    static Goal p99(double bound) {
        return new Goal(List.of(new Bound(Figure.P99, false, bound)));
    }

    /** For every sample. */
    static Goal most(double bound) {
        return new Goal(List.of(new Bound(Figure.MAX, false, bound)));
    }

    boolean exists() {
        return !bounds.isEmpty();
    }

    boolean isMet(Measurements samples) {
        return bounds.stream().allMatch(bound -> bound.isMet(samples));
    }

    /** Each bound and whether the samples meet it; empty without a bound. */
    String verdict(Measurements samples) {
        return bounds.stream()
                .map(bound -> bound + (bound.isMet(samples) ? " met" : " MISSED"))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return bounds.stream().map(Bound::toString).collect(Collectors.joining(", "));
    }
}
