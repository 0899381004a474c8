package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.Execution;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stream tells of executions, in the forms of Alpaca's Broker API. */
@Tag("B4")
class AlpacaExecutionsTest {
    private static final String TERMS = """
            "qty":"2","price":"101.5","timestamp":"2026-03-02T12:00:00Z"}""";

    private static JsonNode update(String event, String ids) {
        return Json.tree("{\"event\":\"%s\",%s,%s".formatted(event, ids, TERMS));
    }

    private static List<Execution> executions(String event, String ids) {
        return AlpacaOrders.executions(update(event, ids), 0);
    }

    private static Execution standing(String id) {
        Instant at = Instant.parse("2026-03-02T12:00:00Z");
        return new Execution(id, 0, Decimal.of("2"), Decimal.of("101.5"), at, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trade_bust   | "execution_id":"x-2","previous_execution_id":"x-1"
            trade_bust   | "execution_id":"x-1","previous_execution_id":null
            trade_bust   | "execution_id":"x-1"
            trade_cancel | "execution_id":"x-1"
            """)
    @DisplayName("A bust takes back the execution that it names")
    void bustNamesTheBusted(String event, String ids) {
        assertThat(executions(event, ids)).singleElement().satisfies(bust -> {
            assertThat(bust.executionId()).isEqualTo("x-1");
            assertThat(bust.busted()).isTrue();
        });
    }

    @Test
    @DisplayName("A bust may have a negative quantity, and no price or time")
    void bustNeedsNoTerms() {
        JsonNode bust = Json.tree("{\"event\":\"trade_bust\",\"execution_id\":\"x-1\",\"qty\":\"-2\",\"price\":null}");
        assertThat(AlpacaOrders.executions(bust, 0)).singleElement().satisfies(one -> {
            assertThat(one.executionId()).isEqualTo("x-1");
            assertThat(one.quantity()).isEqualTo(Decimal.ZERO);
        });
    }

    @Test
    @DisplayName("A correction takes back one execution, and has the one in its place")
    void correctionHasBoth() {
        List<Execution> both =
                executions("trade_correct", "\"execution_id\":\"x-2\",\"previous_execution_id\":\"x-1\"");
        assertThat(both)
                .filteredOn(Execution::busted)
                .extracting(Execution::executionId)
                .containsExactly("x-1");
        assertThat(both).filteredOn(one -> !one.busted()).containsExactly(standing("x-2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trade_bust    | "execution_id":null
            trade_bust    | "execution_id":7
            trade_correct | "execution_id":"x-2","previous_execution_id":null
            trade_correct | "execution_id":null
            """)
    @DisplayName(
            "One that names no execution has a busted one of its own, the same each time, so that a person is called")
    void unnamedCallsForAPerson(String event, String ids) {
        List<Execution> told = executions(event, ids);
        assertThat(told)
                .filteredOn(Execution::busted)
                .singleElement()
                .satisfies(bust -> assertThat(bust.executionId()).startsWith("unreadable-"));
        assertThat(executions(event, ids)).isEqualTo(told);
        assertThat(told).filteredOn(one -> !one.busted()).isSubsetOf(standing("x-2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fill", "partial_fill"})
    @DisplayName("A fill without an id is no execution")
    void fillNeedsItsId(String event) {
        assertThatIllegalArgumentException().isThrownBy(() -> executions(event, "\"execution_id\":null"));
        assertThat(executions(event, "\"execution_id\":\"x-2\"")).containsExactly(standing("x-2"));
    }
}
