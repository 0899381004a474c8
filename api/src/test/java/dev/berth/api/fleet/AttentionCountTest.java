package dev.berth.api.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AttentionCountTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");

    private AttentionCount orders(LongSupplier server) {
        return new AttentionCount(Attention.Kind.ORDER, server, meters, () -> now);
    }

    private double gauge() {
        return meters.get("berth.attention").tag("kind", "order").gauge().value();
    }

    @Tag("B5")
    @DisplayName("The gauge shows the last count")
    @Test
    void gaugeShowsLastCount() {
        AtomicLong waiting = new AtomicLong(2);
        AttentionCount count = orders(waiting::get);
        assertThat(gauge()).as("before the first count").isNaN();
        count.round();
        assertThat(gauge()).isEqualTo(2);
        waiting.set(0);
        count.round();
        assertThat(gauge()).isZero();
    }

    @Tag("B5")
    @DisplayName("A frozen server does not block the gauge, and an old count becomes NaN")
    @Test
    void oldCountIsUnknown() {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Long> answer = new CompletableFuture<Long>().orTimeout(10, TimeUnit.SECONDS);
        AttentionCount count = orders(() -> {
            asked.incrementAndGet();
            return answer.join();
        });
        count.start();
        try {
            await().until(() -> asked.get() == 1);
            assertThat(gauge()).isNaN();
            assertThat(asked).as("reading the gauge asks no server").hasValue(1);
            answer.complete(3L);
            await().until(() -> gauge() == 3);
        } finally {
            count.stop();
        }
        now = now.plus(Duration.ofMinutes(3));
        assertThat(gauge()).isNaN();
    }
}
