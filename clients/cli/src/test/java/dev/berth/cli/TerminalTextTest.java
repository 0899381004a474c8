package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {
    @Tag("X23")
    @ParameterizedTest
    @DisplayName("A character that a terminal obeys is replaced in text and escaped in JSON")
    @ValueSource(strings = {"\u001b[2J", "\u0000", "\r", "\t", "\u007f", "\u009b31m", "\u202e", "\u2028", "\ufeff"})
    void replacesUnsafeCharacters(String unsafe) {
        char character = unsafe.charAt(0);
        assertThat(TerminalText.lines("a\nsold" + unsafe + " out"))
                .startsWith("a\nsold\uFFFD")
                .endsWith(" out");
        assertThat(TerminalText.json("{\"a\":\"" + unsafe + "\"}"))
                .startsWith(String.format(Locale.ROOT, "{\"a\":\"\\u%04x", (int) character))
                .doesNotContain(String.valueOf(character));
    }

    @Test
    @DisplayName("Other characters stay as they are, and JSON keeps its meaning")
    void keepsSafeCharacters() {
        assertThat(TerminalText.lines("Börse – 10 %\n取引停止 \ud83d\udcc8")).isEqualTo("Börse – 10 %\n取引停止 \ud83d\udcc8");
        assertThat(ApiJson.read(TerminalText.json("{\"a\":\"\udb40\udc41\"}"))
                        .path("a")
                        .asText())
                .isEqualTo("\udb40\udc41");
    }
}
