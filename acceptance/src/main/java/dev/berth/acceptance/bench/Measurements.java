package dev.berth.acceptance.bench;

import java.util.ArrayList;
import java.util.List;

/** The samples of one figure; durations in milliseconds. Thread-safe. */
final class Measurements {
    private final List<Double> values = new ArrayList<>();

    static Measurements of(double sample) {
        Measurements one = new Measurements();
        one.add(sample);
        return one;
    }

    synchronized void add(double sample) {
        values.add(sample);
    }

    synchronized void addAll(Measurements others) {
        values.addAll(others.values);
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

    /** The smallest sample that this fraction of all samples does not exceed. */
    synchronized double quantile(double part) {
        List<Double> sorted = values.stream().sorted().toList();
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.get(Math.max(0, index));
    }
}
