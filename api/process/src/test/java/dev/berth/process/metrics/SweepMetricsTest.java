package dev.berth.process.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.maintenance.SweepReport;
import dev.berth.workflows.maintenance.SweepView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SweepMetricsTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SweepMetrics metrics = new SweepMetrics(registry, InstantSource.fixed(NOON));

    private double count(String name, String kind) {
        return registry.get(name).tag("kind", kind).counter().count();
    }

    @Tag("A10")
    @DisplayName("A sweep records drift by kind, duration, fleet and time")
    @Test
    void sweepIsRecorded() {
        SweepView view = new SweepView(30, 32, 1, Map.of(DriftKind.UNOWNED_TASK, 3), List.of(), 10, 41);
        HealOutcome healed = new HealOutcome(Map.of(DriftKind.UNOWNED_TASK, 2), 0, 0, 1, List.of());
        metrics.record(new SweepReport(view, healed, "words"));
        metrics.record(new SweepReport(view, healed, "words"));
        assertThat(count("berth.sweep.found", "unowned_task")).isEqualTo(6);
        assertThat(count("berth.sweep.healed", "unowned_task")).isEqualTo(4);
        assertThat(registry.get("berth.sweep.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(82);
        assertThat(registry.get("berth.sweep.fleet").gauge().value()).isEqualTo(32);
        assertThat(registry.get("berth.sweep.last.success").gauge().value()).isEqualTo((double) NOON.getEpochSecond());
    }

    @Tag("X6")
    @DisplayName("A failed sweep records no success; every kind starts at 0")
    @Test
    void failedSweepIsNotRecorded() {
        metrics.record(new SweepReport(null, HealOutcome.NONE, "could not look"));
        assertThat(registry.get("berth.sweep.last.success").gauge().value()).isZero();
        for (DriftKind kind : DriftKind.values()) {
            assertThat(count("berth.sweep.found", kind.name().toLowerCase(Locale.ROOT)))
                    .isZero();
        }
    }
}
