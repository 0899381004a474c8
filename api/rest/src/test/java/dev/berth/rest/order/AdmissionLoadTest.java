package dev.berth.rest.order;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.rest.Problem;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AdmissionLoadTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(AdmissionLoad.class);
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private final AdmissionLoad load = new AdmissionLoad(meters, 100, () -> now);

    @BeforeEach
    void listen() {
        said.start();
        log.addAppender(said);
    }

    @AfterEach
    void leave() {
        log.detachAppender(said);
    }

    @Test
    @Tag("E13")
    @DisplayName("Above 80 percent of the limit a warning is logged once a minute")
    void nearlyFullIsLogged() {
        load.update(80);
        assertThat(said.list).isEmpty();
        load.update(81);
        load.update(90);
        assertThat(said.list).hasSize(1);
        assertThat(said.list.getFirst().getFormattedMessage()).startsWith("81 of 100 orders are active");
        now = now.plusSeconds(60);
        load.update(99);
        assertThat(said.list).hasSize(2);
    }

    @Test
    @Tag("E13")
    @DisplayName("Every refusal reason has a counter from the start")
    void refusalsAreCounted() {
        load.refused(Problem.TOO_MANY_ORDERS);
        assertThat(refused("too-many-orders")).isEqualTo(1);
        assertThat(refused("kill-switch")).isZero();
    }

    private double refused(String reason) {
        return meters.get("berth.orders.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }
}
