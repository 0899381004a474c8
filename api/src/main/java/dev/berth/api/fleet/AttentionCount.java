package dev.berth.api.fleet;

import dev.berth.api.Periodic;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * How much of one kind waits for a person, for an alarm. It is counted beside whoever reads it: a server that stands
 * still must not hold up a scrape of all metrics.
 */
final class AttentionCount extends Periodic {
    /** As often as metrics are usually read. */
    private static final Duration EVERY = Duration.ofSeconds(15);
    /** An older count would pass for a current one. */
    private static final Duration COUNTS_FOR = Duration.ofMinutes(2);

    private record Counted(double number, Instant at) {}

    private final LongSupplier server;
    private final InstantSource clock;
    private volatile Counted last = new Counted(Double.NaN, Instant.MIN);

    AttentionCount(Attention.Kind kind, LongSupplier server, MeterRegistry meters, InstantSource clock) {
        super("attention-count-" + kind.word(), EVERY);
        this.server = server;
        this.clock = clock;
        Gauge.builder("berth.attention", this, AttentionCount::current)
                .description("What failed for good and waits for a person, by kind; NaN: not known")
                .tag("kind", kind.word())
                .register(meters);
    }

    @Override
    protected void round() {
        last = new Counted(server.getAsLong(), clock.instant());
    }

    private double current() {
        Counted counted = last;
        return counted.at().isBefore(clock.instant().minus(COUNTS_FOR)) ? Double.NaN : counted.number();
    }
}
