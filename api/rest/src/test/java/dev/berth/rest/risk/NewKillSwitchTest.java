package dev.berth.rest.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.rest.Problem;
import dev.berth.workflows.Json;
import dev.berth.workflows.risk.KillSwitch;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewKillSwitchTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    @Tag("X9")
    @DisplayName("A kill switch for a served broker is accepted")
    @Test
    void servedBrokerIsAccepted() {
        assertThat(ofBroker("alpaca"))
                .isEqualTo(new KillSwitch(KillSwitch.Level.BROKER, "alpaca", true, "r", "olga", NOON));
    }

    @Tag("X9")
    @DisplayName("A kill switch for an unknown broker is refused, with the served ones")
    @ParameterizedTest
    @ValueSource(strings = {"Alpaca", "alpaka", "other"})
    void unknownBrokerIsRefused(String broker) {
        assertThatThrownBy(() -> ofBroker(broker))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessageContaining(broker)
                .hasMessageContaining("Served: alpaca, fix, remote.");
        assertThat(ofBroker(broker, false).on()).as("off, whatever it is").isFalse();
    }

    private static KillSwitch ofBroker(String broker) {
        return ofBroker(broker, true);
    }

    private static KillSwitch ofBroker(String broker, boolean on) {
        String body = "{\"level\":\"broker\",\"broker\":\"%s\",\"on\":%s,\"reason\":\"r\"}".formatted(broker, on);
        return Json.read(body, NewKillSwitch.class).by("olga", NOON);
    }
}
