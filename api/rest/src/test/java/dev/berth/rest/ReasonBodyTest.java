package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonBodyTest {
    @Tag("X23")
    @DisplayName("A reason with control characters is refused with 400 and not repeated")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "all is \u001b[32mwell",
                "a\nb",
                "a\u0000",
                "a\u009b2J",
                "a\u202eb",
                "a\u2066b",
                "a\u200bb",
                "a\ufeffb",
                "\ud800"
            })
    void controlCharactersAreRefused(String reason) {
        assertThatThrownBy(() -> new ReasonBody(reason).text())
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refused -> assertThat(refused.status().value()).isEqualTo(400))
                .hasMessageContaining("one line of plain text")
                .hasMessageNotContaining(reason);
    }

    @Test
    void plainTextIsAccepted() {
        assertThat(new ReasonBody(" Börse – 10 % ").text()).isEqualTo("Börse – 10 %");
        assertThatThrownBy(() -> new ReasonBody(" ").text())
                .hasMessageContaining("Give a reason of 1 to 500 characters");
        assertThatThrownBy(() -> new ReasonBody("x".repeat(501)).text()).hasMessageContaining("1 to 500");
    }
}
