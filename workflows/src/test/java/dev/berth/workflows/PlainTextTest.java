package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.order.Reason;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
    @Tag("X23")
    @DisplayName("What a terminal would obey, or shows as another text, is no plain text and is " + "replaced")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J",
                "\u0000",
                "\u0007",
                "\r",
                "\t",
                "\u007f",
                "\u009b31m",
                "\u202e",
                "\u2066",
                "\u200b",
                "\u2028",
                "\ud800",
                "\ufeff",
                "\udb40\udc41"
            })
    void unsafeCharactersAreReplaced(String inside) {
        String text = "sold" + inside + " out";
        assertThat(PlainText.is(text)).isFalse();
        assertThat(PlainText.is(PlainText.line(text))).isTrue();
        assertThat(PlainText.line(text)).startsWith("sold\uFFFD").endsWith(" out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "exchange is down", "Börse geschlossen – 10 %", "取引停止", "\ud83d\udcc8 up"})
    void safeTextStaysUnchanged(String text) {
        assertThat(PlainText.is(text)).isTrue();
        assertThat(PlainText.line(text)).isEqualTo(text);
    }

    @Tag("X23")
    @DisplayName("The venue's words enter an order's reason as plain text")
    @Test
    void venuesReasonBecomesPlainText() {
        Reason reason = new Reason(Reason.Category.BROKER, "refused-\u001b[1m", "no\u001b]0;title\u0007 funds\n");
        assertThat(reason).hasToString("broker: refused-\uFFFD[1m: no\uFFFD]0;title\uFFFD funds\uFFFD");
        assertThat(Json.read("\"broker: x: \\u001b[2J\"", Reason.class).text()).isEqualTo("\uFFFD[2J");
    }
}
