package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the findings are told. */
class ReportTest {
    private static Report withSecrets(int number) {
        Planted planted = new Planted().order("o", "FILLED", "filled", "1");
        IntStream.rangeClosed(1, number).forEach(at -> planted.secrets.add("secret " + at));
        return planted.report();
    }

    @Test
    @DisplayName("X1 the table has a row a promise, and below each its evidence; of much evidence the first lines")
    void text() {
        List<String> lines = withSecrets(22).text().lines().toList();
        assertThat(lines)
                .contains("promise                                                            looked at  broken")
                .contains("no secret stands in logs or task overrides                                 3      22")
                .contains("  BROKEN secret 20", "  BROKEN 2 more; -o json has all")
                .doesNotContain("  BROKEN secret 21")
                .hasSize(1 + Report.PROMISES.size() + 21 + 1);
        assertThat(lines.getLast()).isEqualTo("22 times a promise is broken.");
    }

    @Test
    @DisplayName("X1 the JSON has every promise by its name, with all evidence")
    void json() throws Exception {
        JsonNode json = new ObjectMapper().readTree(withSecrets(22).json());
        assertThat(json.path("broken").asInt()).isEqualTo(22);
        assertThat(json.path("underWay").asInt()).isZero();
        assertThat(json.path("promises").findValuesAsText("promise"))
                .containsExactly(
                        "lost-order",
                        "doubled-order",
                        "late-send",
                        "disagreement",
                        "two-workers",
                        "secret-leak",
                        "foreign-account",
                        "ledger-gap");
        assertThat(json.path("promises").path(5).path("broken")).hasSize(22);
        assertThat(json.path("promises").path(5).path("lookedAt").asInt()).isEqualTo(3);
    }
}
