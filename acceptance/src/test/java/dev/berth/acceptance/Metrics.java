package dev.berth.acceptance;

import java.io.IOException;

/** What an API process shows to Prometheus. */
final class Metrics {
    private Metrics() {}

    /** The values of all series whose line begins so, together; 0 while there is none. */
    static double sum(Rest api, String beginning) throws IOException, InterruptedException {
        return api.call("GET", "/actuator/prometheus", null)
                .raw()
                .body()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
