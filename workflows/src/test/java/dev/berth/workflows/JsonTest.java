package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    record Inner(Instant since, int number) {
        Inner {
            if (number < 0) {
                throw new IllegalArgumentException("hush: a record's own message may quote what it got");
            }
        }
    }

    record Outer(List<Inner> list) {}

    @Tag("X23")
    @DisplayName(
            "What is no JSON of the type is told by type and place; nothing of it is repeated, " + "nor a cause kept")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hush",
                "\"hush\"",
                "{\"list\": hush}",
                "{\"list\": \"hush\"}",
                "{\"list\": [{\"since\": \"hush\"}]}",
                "{\"list\": [{\"number\": \"hush\"}]}",
                "{\"list\": [{\"number\": -1}]}",
                "{\"list\": [{\"number\": 1} \"hush\"",
                "{\"list\": [{\"since\": {\"hush\": 1}}]}"
            })
    void repeatsNothing(String json) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.read(json, Outer.class))
                .withMessageStartingWith("not a Outer, line 1, column ")
                .withMessageNotContaining("hush")
                .withNoCause();
    }

    @Tag("X23")
    @DisplayName("A tree that cannot be read is not repeated either")
    @Test
    void unreadableTreeIsNotRepeated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.tree("{\"secret\": hush}"))
                .withMessageNotContaining("hush")
                .withNoCause();
        assertThat(Json.tree("").isMissingNode()).isTrue();
    }

    @Test
    void placeIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.read("{\"list\": [{}, {\"since\": \"hush\"}]}", Outer.class))
                .withMessageMatching("not a Outer, line 1, column [0-9]+, at list\\.\\[1]\\.since");
    }
}
