package dev.berth.host.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CertificateRenewalTest {
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    @Test
    void renewsAtHalfLifeAndEverMoreOften() {
        assertThat(CertificateRenewal.pause(NOW, NOW.plus(Duration.ofHours(1)))).isEqualTo(Duration.ofMinutes(30));
        assertThat(CertificateRenewal.pause(NOW.plus(Duration.ofMinutes(30)), NOW.plus(Duration.ofHours(1))))
                .isEqualTo(Duration.ofMinutes(15));
    }

    @Test
    void pausesTenSecondsAtLeast() {
        assertThat(CertificateRenewal.pause(NOW, NOW.plusSeconds(1))).isEqualTo(Duration.ofSeconds(10));
        assertThat(CertificateRenewal.pause(NOW, NOW.minusSeconds(1))).isEqualTo(Duration.ofSeconds(10));
    }
}
