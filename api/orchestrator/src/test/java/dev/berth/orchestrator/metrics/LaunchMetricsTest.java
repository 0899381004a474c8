package dev.berth.orchestrator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.launch.LaunchResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LaunchMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private final LaunchMetrics metrics = new LaunchMetrics(meters, () -> now);

    private double noRoom() {
        return meters.get("berth.launch.no.room").gauge().value();
    }

    @Tag("E13")
    @DisplayName("A launch without room is shown until one succeeds, or none was tried for two minutes")
    @Test
    void noRoomIsShown() {
        assertThat(noRoom()).isZero();
        metrics.launched(LaunchResult.NO_ROOM);
        assertThat(noRoom()).isOne();
        metrics.launched(LaunchResult.CIRCUIT_OPEN);
        assertThat(noRoom()).isOne();
        metrics.launched(LaunchResult.STARTED);
        assertThat(noRoom()).isZero();
        metrics.launched(LaunchResult.NO_ROOM);
        now = now.plus(Duration.ofMinutes(2));
        assertThat(noRoom()).isZero();
        assertThat(meters.get("berth.launches")
                        .tag("result", "no-room")
                        .counter()
                        .count())
                .isEqualTo(2);
    }
}
