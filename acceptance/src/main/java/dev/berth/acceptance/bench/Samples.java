package dev.berth.acceptance.bench;

import java.util.ArrayList;
import java.util.List;

/** What one thing was found to be, again and again; durations are in milliseconds. Several threads may add. */
final class Samples {
    private final List<Double> values = new ArrayList<>();

    /** A single one. */
    static Samples of(double sample) {
        Samples one = new Samples();
        one.add(sample);
        return one;
    }

    synchronized void add(double sample) {
        values.add(sample);
    }

    synchronized int count() {
        return values.size();
    }

    synchronized double total() {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    double mean() {
        return total() / count();
    }

    double median() {
        return quantile(0.5);
    }

    /** The smallest sample that is not exceeded by this part of all of them. */
    synchronized double quantile(double part) {
        List<Double> sorted = values.stream().sorted().toList();
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.get(Math.max(0, index));
    }
}
