package dev.berth.api.fleet;

import dev.berth.api.PeriodicTask;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Counts the orders or workers that need attention, for an alarm. Counts in the background, so that
 * a frozen server does not delay the scrape of all metrics.
 */
final class AttentionCount extends PeriodicTask {
    /** The usual scrape interval. */
    private static final Duration EVERY = Duration.ofSeconds(15);
    /** An older count is reported as unknown. */
    private static final Duration MAX_AGE = Duration.ofMinutes(2);

    private record Counted(double number, Instant at) {}

    private final LongSupplier source;
    private final InstantSource clock;
    private volatile Counted last = new Counted(Double.NaN, Instant.MIN);

    AttentionCount(Attention.Kind kind, LongSupplier source, MeterRegistry meters, InstantSource clock) {
        super("attention-count-" + kind.label(), EVERY);
        this.source = source;
        this.clock = clock;
        Gauge.builder("berth.attention", this, AttentionCount::current)
                .description("Permanent failures that need attention, by kind; NaN if unknown")
                .tag("kind", kind.label())
                .register(meters);
    }

    @Override
    protected void round() {
        last = new Counted(source.getAsLong(), clock.instant());
    }

    private double current() {
        Counted counted = last;
        return counted.at().isBefore(clock.instant().minus(MAX_AGE)) ? Double.NaN : counted.number();
    }
}
