package dev.berth.rest.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.rest.Problem;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The body as the framework reads it, and as it would print it. */
class NewCredentialsTest {
    private final JsonMapper json = JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private NewCredentials read(String body) {
        return json.readValue(body, NewCredentials.class);
    }

    @Test
    void printsAsEmptyText() {
        NewCredentials read = read("{\"keyId\":\"PK\",\"secret\":\"hush\"}");
        assertThat(read.checked("alpaca").secret()).isEqualTo("hush");
        assertThat(read).hasToString("");
        assertThat(json.writeValueAsString(read)).doesNotContain("hush");
    }

    @Tag("Y4")
    @ParameterizedTest
    @DisplayName("A body is checked against the fields of its broker, and the problem names the field")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "alpaca, `{\"secret\":\"hush\"}`, keyId is missing.",
                "alpaca, `{\"keyId\":\"PK\",\"secret\":\"hush\",\"host\":\"h\"}`, Field 3 of the body is unknown",
                "fix, `{\"keyId\":\"PK\",\"secret\":\"hush\",\"host\":\"h\"}`, port is missing",
                "remote, `{\"keyId\":\"hush\"}`, Field 1 of the body is unknown",
            })
    void wrongFieldIsRefused(String broker, String body, String detail) {
        assertThatThrownBy(() -> read(body).checked(broker))
                .isInstanceOf(Problem.Refusal.class)
                .hasMessageStartingWith(detail)
                .hasMessageNotContaining("hush");
    }

    @Test
    void remoteAccountHasNone() {
        assertThat(read("{}").checked("remote").maskedKeyId()).isEqualTo("****");
    }
}
