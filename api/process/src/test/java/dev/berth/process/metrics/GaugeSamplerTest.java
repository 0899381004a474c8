package dev.berth.process.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.process.metrics.GaugeSampler.Reading;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GaugeSamplerTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");

    private GaugeSampler sampler(LongSupplier server) {
        return new GaugeSampler(
                "attention",
                () -> List.of(Reading.count("berth.attention", Tags.of("kind", "order"), server.getAsLong())),
                meters,
                () -> now);
    }

    private double gauge() {
        return meters.get("berth.attention").tag("kind", "order").gauge().value();
    }

    private double age() {
        return meters.get("berth.sample.age").tag("sample", "attention").gauge().value();
    }

    @Tag("B5")
    @DisplayName("The gauge shows the last reading")
    @Test
    void gaugeShowsLastReading() throws Exception {
        AtomicLong waiting = new AtomicLong(2);
        GaugeSampler sampler = sampler(waiting::get);
        sampler.round();
        assertThat(gauge()).isEqualTo(2);
        waiting.set(0);
        sampler.round();
        assertThat(gauge()).isZero();
        assertThat(age()).isZero();
    }

    @Tag("B5")
    @DisplayName("A frozen server does not block the gauge; an old reading becomes NaN, and its age grows")
    @Test
    void oldReadingIsUnknown() {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Long> answer = new CompletableFuture<Long>().orTimeout(10, TimeUnit.SECONDS);
        GaugeSampler sampler = sampler(() -> {
            asked.incrementAndGet();
            return answer.join();
        });
        sampler.start();
        try {
            await().until(() -> asked.get() == 1);
            now = now.plus(Duration.ofMinutes(1));
            assertThat(age()).isEqualTo(60);
            assertThat(asked).as("reading the gauge asks no server").hasValue(1);
            answer.complete(3L);
            await().until(() -> age() == 0 && gauge() == 3);
        } finally {
            sampler.stop();
        }
        now = now.plus(Duration.ofMinutes(3));
        assertThat(gauge()).isNaN();
        assertThat(age()).isEqualTo(180);
    }
}
