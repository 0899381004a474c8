package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Json;
import dev.berth.workflows.Samples;
import dev.berth.workflows.order.Reason.Category;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonTest {
    @ParameterizedTest
    @Tag("E12")
    @DisplayName("Every reason begins with who has to act on it")
    @CsvSource({"CAPACITY,capacity", "BROKER,broker", "RISK,risk", "INTERNAL,internal"})
    void prefixTellsWhoMustAct(Category category, String prefix) {
        Reason reason = new Reason(category, "a-code", "A text: with a colon.");
        assertThat(reason).hasToString(prefix + ": a-code: A text: with a colon.");
        assertThat(Reason.parse(reason.toString())).isEqualTo(reason);
        assertThat(Json.read(Json.write(reason), Reason.class)).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "capacity", "capacity: not-taken", "weather: rain: It rains."})
    void aLineThatIsNoReasonIsKeptAsText(String line) {
        assertThat(Reason.parse(line)).isEqualTo(new Reason(Category.INTERNAL, "unreadable-reason", line));
    }

    @Test
    @Tag("E12")
    @DisplayName("Berth's own reasons have stable codes")
    void ownReasonsHaveStableCodes() {
        OrderRequest request = Samples.market(Duration.ofMinutes(2));
        assertThat(OrderFailures.notTaken(request))
                .asString()
                .startsWith("capacity: not-taken: ")
                .contains("PT2M");
        assertThat(OrderFailures.notSent(request)).asString().startsWith("capacity: not-sent: ");
        assertThat(OrderFailures.outcomeUnknown()).asString().startsWith("broker: outcome-unknown: ");
    }
}
