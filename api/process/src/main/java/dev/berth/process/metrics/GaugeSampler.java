package dev.berth.process.metrics;

import dev.berth.process.PeriodicTask;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads gauges from a server in the background, so that a frozen server delays no scrape. A value
 * that is too old is NaN, and {@code berth_sample_age_seconds} grows.
 */
public final class GaugeSampler extends PeriodicTask {
    /** The usual scrape interval. */
    private static final Duration EVERY = Duration.ofSeconds(15);
    /** Older values are reported as unknown. */
    private static final Duration MAX_AGE = Duration.ofMinutes(2);

    /** The values of now; each round names the same series. */
    @FunctionalInterface
    public interface Source {
        List<Reading> read() throws Exception;
    }

    /** A value of one series. */
    public record Reading(String gauge, Tags tags, double value) {
        public static Reading count(String gauge, Tags tags, long number) {
            return new Reading(gauge, tags, (double) number);
        }

        /**
         * A reading of a time.
         *
         * @param gauge whose name says that it is in seconds
         */
        public static Reading time(String gauge, Tags tags, Duration time) {
            return new Reading(gauge, tags, time.toMillis() / 1000.0);
        }
    }

    private record Series(String gauge, Tags tags) {}

    private final Source source;
    private final MeterRegistry meters;
    private final InstantSource clock;
    private volatile Map<Series, Double> values = Map.of();
    private volatile Instant readAt;

    /** @param name of the sample, and of its thread */
    public GaugeSampler(String name, Source source, MeterRegistry meters, InstantSource clock) {
        super("sample-" + name, EVERY);
        this.source = source;
        this.meters = meters;
        this.clock = clock;
        this.readAt = clock.instant();
        Gauge.builder("berth.sample.age", this, GaugeSampler::ageSeconds)
                .baseUnit("seconds")
                .description("Since these gauges were last read")
                .tag("sample", name)
                .register(meters);
    }

    @Override
    protected void round() throws Exception {
        Map<Series, Double> read = new HashMap<>();
        for (Reading reading : source.read()) {
            read.put(new Series(reading.gauge(), reading.tags()), reading.value());
        }
        Map<Series, Double> before = values;
        values = Map.copyOf(read);
        readAt = clock.instant();
        read.keySet().stream().filter(series -> !before.containsKey(series)).forEach(this::register);
    }

    private void register(Series series) {
        Gauge.builder(series.gauge(), () -> valueOf(series)).tags(series.tags()).register(meters);
    }

    private double valueOf(Series series) {
        boolean isOld = readAt.isBefore(clock.instant().minus(MAX_AGE));
        return isOld ? Double.NaN : values.getOrDefault(series, Double.NaN);
    }

    private double ageSeconds() {
        return Duration.between(readAt, clock.instant()).toMillis() / 1000.0;
    }
}
