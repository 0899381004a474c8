package dev.berth.process.metrics;

import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.SweepReport;
import dev.berth.workflows.maintenance.SweepView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of the sweeps that this replica ran. */
public final class SweepMetrics {
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Timer duration;
    private final AtomicInteger fleet;
    private final AtomicLong lastSuccess;

    public SweepMetrics(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.duration = Timer.builder("berth.sweep.duration")
                .description("Duration of one read of the whole fleet")
                .register(registry);
        this.fleet = new AtomicInteger();
        Gauge.builder("berth.sweep.fleet", fleet, AtomicInteger::get)
                .description("Worker tasks at the last sweep, including the pool")
                .register(registry);
        this.lastSuccess = new AtomicLong();
        Gauge.builder("berth.sweep.last.success", lastSuccess, AtomicLong::get)
                .baseUnit("seconds")
                .description("Time of the last complete sweep, in seconds since the epoch; 0 before the first")
                .register(registry);
        // Registered at the start, so that an alarm on the increase sees the first drift.
        for (DriftKind kind : DriftKind.values()) {
            counter("found", kind).increment(0);
            counter("healed", kind).increment(0);
        }
    }

    public void record(SweepReport report) {
        SweepView view = report.view();
        if (view == null) {
            return;
        }
        duration.record(Duration.ofMillis(view.millis()));
        fleet.set(view.tasks());
        lastSuccess.set(clock.instant().getEpochSecond());
        view.found().forEach((kind, number) -> counter("found", kind).increment(number));
        report.healed()
                .healed()
                .forEach((kind, number) -> counter("healed", kind).increment(number));
    }

    private Counter counter(String what, DriftKind kind) {
        return Counter.builder("berth.sweep." + what)
                .description("Drift by kind: " + what)
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
