package dev.berth.acceptance.bench;

import java.util.ArrayList;
import java.util.List;

/** Durations of one thing, in milliseconds. */
final class Samples {
    private final List<Double> millis = new ArrayList<>();

    void add(double sample) {
        millis.add(sample);
    }

    int count() {
        return millis.size();
    }

    double median() {
        return quantile(0.5);
    }

    /** The smallest sample that is not exceeded by this part of all of them. */
    double quantile(double part) {
        List<Double> sorted = millis.stream().sorted().toList();
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.get(Math.max(0, index));
    }

    String line() {
        return "%4d   %8.1f   %8.1f   %8.1f".formatted(count(), median(), quantile(0.99), quantile(1));
    }
}
