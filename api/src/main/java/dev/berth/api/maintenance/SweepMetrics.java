package dev.berth.api.maintenance;

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

/** Counts of the sweeps that this replica reported; all replicas together did all of them. */
final class SweepMetrics {
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Timer duration;
    private final AtomicInteger fleet;
    private final AtomicLong lastSuccess;

    SweepMetrics(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.duration = Timer.builder("berth.sweep.duration")
                .description("How long one look at the whole fleet took")
                .register(registry);
        this.fleet = new AtomicInteger();
        Gauge.builder("berth.sweep.fleet", fleet, AtomicInteger::get)
                .description("Workers' tasks at the last sweep, the pool's among them")
                .register(registry);
        this.lastSuccess = new AtomicLong();
        Gauge.builder("berth.sweep.last.success", lastSuccess, AtomicLong::get)
                .baseUnit("seconds")
                .description("When the last sweep could look, in seconds since the epoch; 0 before the first")
                .register(registry);
        // From the start on, so that an alarm on their growth sees the first one.
        for (DriftKind kind : DriftKind.values()) {
            counter("found", kind).increment(0);
            counter("healed", kind).increment(0);
        }
    }

    void record(SweepReport report) {
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
                .description("What drifted, by kind: " + what)
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
