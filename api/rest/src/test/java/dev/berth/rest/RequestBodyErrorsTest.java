package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class RequestBodyErrorsTest {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    record Body(
            @Nullable String keyId,
            @Nullable String secret,
            @Nullable Integer number,
            @Nullable Duration within,
            @Nullable AccountKey account) {}

    private static String explain(String body) {
        return RequestBodyErrors.of(catchThrowable(() -> MAPPER.readValue(body, Body.class)));
    }

    @Tag("X23")
    @DisplayName("The answer to a malformed body repeats no value")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"keyId\":\"k\",\"secret\": HUSH}",
                "{\"keyId\":\"k\",\"secret\": 'HUSH'}",
                "{\"keyId\":\"k\",\"secret\": \"HUSH",
                "{\"keyId\":\"k\",\"secret\": [\"HUSH\"]}",
                "{\"keyId\":\"k\",\"secret\": {\"HUSH\": 1}}",
                "{\"keyId\":\"k\",\"HUSH\": 1}",
                "{\"keyId\":\"k\",HUSH: 1}",
                "{\"number\": \"HUSH\"}",
                "{\"number\": 99999999999999999999}",
                "{\"within\": \"HUSH\"}",
                "{\"account\": \"HUSH\"}",
                "{\"account\": {\"environment\": \"HUSH\"}}",
                "{} HUSH",
                "HUSH",
                "\"HUSH\""
            })
    void repeatsNoValue(String body) {
        assertThat(explain(body))
                .isNotBlank()
                .doesNotContainIgnoringCase("hush")
                .doesNotContain("9999");
    }

    @Test
    void namesFieldAndPosition() {
        assertThat(explain("{\"keyId\":\"k\",\n \"secret\": HUSH}"))
                .startsWith("The body is not JSON at line 2, column 1");
        assertThat(explain("{\"HUSH\": 1}"))
                .startsWith("The name at line 1, column ")
                .contains("is not a field here. Fields: ", "keyId");
        assertThat(explain(
                        "{\"account\": {\"broker\":\"b\",\"market\":\"m\",\"environment\":\"paper\",\"accountId\":\"a\","
                                + "\"brokr\": \"HUSH\"}}"))
                .startsWith("account.brokr is not a field here.");
        assertThat(explain("{\"number\": true}")).isEqualTo("number must be a whole number.");
    }
}
