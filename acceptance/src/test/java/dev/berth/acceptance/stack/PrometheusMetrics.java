package dev.berth.acceptance.stack;

import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;

/** The metrics of an API process. */
public final class PrometheusMetrics {
    private PrometheusMetrics() {}

    /** The sum of all series whose line begins with this text; 0 without one. */
    public static double sum(RestClient api, String beginning) throws IOException, InterruptedException {
        return api.call("GET", "/actuator/prometheus", null)
                .raw()
                .body()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
