package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerSettingsTest {
    private final Map<String, String> environment = new HashMap<>(Map.of(
            "BERTH_USER_ID", "alice",
            "BERTH_GATEWAY_TARGET", "127.0.0.1:17233",
            "BERTH_GATEWAY_CA", TestGateway.authority(),
            "BERTH_ENROLMENT_SECRET", "once",
            "BERTH_ALPACA_PAPER_URL", "http://127.0.0.1:18090",
            "ECS_CONTAINER_METADATA_URI_V4", "http://127.0.0.1:18051/v4/1"));

    @Tag("E1")
    @DisplayName("Optional settings have defaults")
    @Test
    void appliesDefaults() {
        WorkerSettings settings = WorkerSettings.from(environment);
        assertThat(settings.orderSlots()).isEqualTo(1);
        assertThat(settings.epoch()).isZero();
        assertThat(settings.temporalNamespace()).isEqualTo("berth");
        assertThat(settings.version()).isEqualTo("dev");
    }

    @Tag("E1")
    @DisplayName("0 slots are no limit; a negative number is rejected")
    @Test
    void validatesOrderSlots() {
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
                "BERTH_GATEWAY_TARGET",
                "BERTH_GATEWAY_CA",
                "BERTH_ENROLMENT_SECRET",
                "BERTH_ALPACA_PAPER_URL",
                "ECS_CONTAINER_METADATA_URI_V4"
            })
    void namesMissingVariable(String variable) {
        environment.remove(variable);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }

    @Tag("X23")
    @DisplayName("An invalid address is named but not quoted")
    @Test
    void doesNotQuoteInvalidAddress() {
        environment.put("ECS_CONTAINER_METADATA_URI_V4", "http://:hush@[");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining("ECS_CONTAINER_METADATA_URI_V4")
                .withMessageNotContaining("hush")
                .withNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no Base64 !", "aGVsbG8="})
    void namesUnreadableAuthority(String authority) {
        environment.put("BERTH_GATEWAY_CA", authority);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining("BERTH_GATEWAY_CA");
    }

    @Tag("X23")
    @DisplayName("The settings print no enrolment secret")
    @Test
    void doesNotPrintSecret() {
        environment.put("BERTH_ENROLMENT_SECRET", "hush");
        assertThat(WorkerSettings.from(environment)).asString().doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource({"BERTH_EPOCH,next", "BERTH_ORDER_SLOTS,many"})
    void namesInvalidNumber(String variable, String value) {
        environment.put(variable, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }

    @Tag("D1")
    @Tag("A7")
    @Tag("A12")
    @DisplayName("Time limits have defaults and can be set")
    @Test
    void readsLimits() {
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

    @Tag("D1")
    @DisplayName("Limits beyond the workflow's timeouts are rejected")
    @ParameterizedTest
    @CsvSource({
        "BERTH_SUBMIT_LIMIT,PT16S",
        "BERTH_CALL_LIMIT,PT61S",
        "BERTH_HUNG_AFTER,PT75S",
        "BERTH_SESSION_PING,PT0S",
        "BERTH_IDLE_AFTER,-PT1S",
        "BERTH_IDLE_AFTER,soon"
    })
    void rejectsInvalidLimit(String variable, String value) {
        environment.put(variable, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment))
                .withMessageContaining(variable);
    }
}
