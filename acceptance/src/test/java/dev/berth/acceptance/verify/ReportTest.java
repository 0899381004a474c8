package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.JsonRecords;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static Report withSecrets(int number) {
        EvidenceFixture planted = new EvidenceFixture().order("o", "FILLED", "filled", "1");
        IntStream.rangeClosed(1, number).forEach(index -> planted.secrets.add("secret " + index));
        return planted.report();
    }

    @Test
    @Tag("X1")
    @DisplayName("The table has a row per promise with its first evidence")
    void textShowsFirstEvidence() {
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
    @Tag("X1")
    @DisplayName("The JSON has every promise with all evidence")
    void jsonHasAllEvidence() throws Exception {
        PrintedReport report = JsonRecords.read(withSecrets(22).json(), PrintedReport.class);
        assertThat(report.broken()).isEqualTo(22);
        assertThat(report.underWay()).isZero();
        assertThat(report.promises())
                .extracting(PrintedReport.PrintedPromise::promise)
                .containsExactly(
                        "lost-order",
                        "doubled-order",
                        "late-send",
                        "denied-order",
                        "disagreement",
                        "two-workers",
                        "secret-leak",
                        "foreign-account",
                        "foreign-access",
                        "sent-after-cancel",
                        "account-mismatch",
                        "unexplained-holdings",
                        "ledger-gap");
        assertThat(report.promises().get(6).broken()).hasSize(22);
        assertThat(report.promises().get(6).lookedAt()).isEqualTo(3);
    }
}
