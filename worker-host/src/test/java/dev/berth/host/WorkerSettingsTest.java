package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerSettingsTest {
    private final Map<String, String> environment = new HashMap<>(Map.of(
            "BERTH_USER_ID", "alice",
            "BERTH_TEMPORAL_TARGET", "127.0.0.1:7233",
            "BERTH_REDIS_URI", "redis://127.0.0.1:16379",
            "BERTH_ALPACA_URL", "http://127.0.0.1:18090",
            "ECS_CONTAINER_METADATA_URI_V4", "http://127.0.0.1:18051/v4/1"));

    @DisplayName("E1 one order at once, unless set")
    @Test
    void defaults() {
        WorkerSettings settings = WorkerSettings.from(environment);
        assertThat(settings.orderSlots()).isEqualTo(1);
        assertThat(settings.epoch()).isZero();
        assertThat(settings.temporalNamespace()).isEqualTo("berth");
        assertThat(settings.claimQueue()).isEqualTo("pool-claim");
        assertThat(settings.version()).isEqualTo("dev");
    }

    @DisplayName("E1 0 is no limit, a negative number is a start-up error")
    @Test
    void slots() {
        environment.put("BERTH_ORDER_SLOTS", "0");
        assertThat(WorkerSettings.from(environment).orderSlots()).isZero();
        environment.put("BERTH_ORDER_SLOTS", "-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining("BERTH_ORDER_SLOTS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BERTH_USER_ID",
                "BERTH_TEMPORAL_TARGET",
                "BERTH_REDIS_URI",
                "BERTH_ALPACA_URL",
                "ECS_CONTAINER_METADATA_URI_V4"
            })
    void whatIsMissingIsNamed(String variable) {
        environment.remove(variable);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }

    @ParameterizedTest
    @CsvSource({"BERTH_EPOCH,next", "BERTH_ORDER_SLOTS,many"})
    void whatIsNoNumberIsNamed(String variable, String value) {
        environment.put(variable, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }

    @DisplayName("D1 A7 A12 how long things may take, unless set")
    @Test
    void limits() {
        assertThat(WorkerSettings.from(environment).limits())
                .isEqualTo(new WorkerLimits(
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(15),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(3),
                        Duration.ofMinutes(30)));
        environment.putAll(Map.of(
                "BERTH_SESSION_PING", "PT1S",
                "BERTH_SUBMIT_LIMIT", "PT2S",
                "BERTH_CALL_LIMIT", "PT3S",
                "BERTH_HUNG_AFTER", "PT6S",
                "BERTH_IDLE_AFTER", "PT5S"));
        assertThat(WorkerSettings.from(environment).limits())
                .isEqualTo(new WorkerLimits(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(5)));
    }

    @DisplayName("D1 no limit is longer than the workflow waits, and what hangs hangs longer than a call may take")
    @ParameterizedTest
    @CsvSource({
        "BERTH_SUBMIT_LIMIT,PT16S",
        "BERTH_CALL_LIMIT,PT61S",
        "BERTH_HUNG_AFTER,PT75S",
        "BERTH_SESSION_PING,PT0S",
        "BERTH_IDLE_AFTER,-PT1S",
        "BERTH_IDLE_AFTER,soon"
    })
    void wrongLimits(String variable, String value) {
        environment.put(variable, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }
}
