package dev.berth.activities.account;

import static dev.berth.activities.account.ExecutionSamples.activity;
import static dev.berth.activities.account.ExecutionSamples.booked;
import static dev.berth.activities.account.ExecutionSamples.busted;
import static dev.berth.activities.account.ExecutionSamples.execution;
import static dev.berth.activities.account.ExecutionSamples.position;
import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("T9")
class AccountStatementsTest {
    private static final LocalDate TODAY = LocalDate.ofInstant(NOON, ZoneOffset.UTC);
    private static final Instant MIDNIGHT =
            TODAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final AccountStatements statements = new AccountStatements(postgres.client());
    private final ExecutionSamples samples = new ExecutionSamples(postgres, redis);

    private AccountStatement of(LocalDate day) {
        return statements.find(ALICE, ACCOUNT, day, MIDNIGHT).orElseThrow();
    }

    /** {@code USD start 900, fills -100 (1), end 800, reported 800, difference 0}. */
    private List<String> lines(LocalDate day) {
        return of(day).assets().stream()
                .map(asset -> asset.name() + " "
                        + String.join(
                                ", ",
                                asset.lines().stream()
                                        .map(AccountStatementsTest::text)
                                        .toList()))
                .toList();
    }

    private static String text(AccountStatement.Line line) {
        String amount = line.amount().signum() == 0
                ? "0"
                : line.amount().stripTrailingZeros().toPlainString();
        String name = line.kind() == null ? line.entry().name().toLowerCase(Locale.ROOT) : line.kind();
        return line.count() == 1 ? name + " " + amount : name + " " + amount + " (" + line.count() + ")";
    }

    @Test
    @DisplayName("The first statement begins with the first report; fills of both origins explain the day")
    void fillsExplainDay() {
        samples.report(NOON, "1000", List.of());
        samples.order("o-1", execution("a", NOON.plusSeconds(1)), execution("b", NOON.plusSeconds(2)));
        samples.report(
                NOON.plusSeconds(9),
                "899.5",
                List.of(position("AAPL", "1")),
                activity("a", NOON.plusSeconds(1), "buy", "1", "100", "v-1"),
                activity("c", NOON.plusSeconds(3), "sell", "1", "99.5", "v-2"));
        assertThat(lines(TODAY))
                .containsExactly(
                        "USD start 1000, fills -100.5 (3), end 899.5, reported 899.5, difference 0",
                        "AAPL start 0, fills 1 (3), end 1, reported 1, difference 0");
        assertThat(of(TODAY).from()).isEqualTo(NOON);
        assertThat(of(TODAY).to()).isEqualTo(NOON.plusSeconds(9));
        assertThat(of(TODAY).complete()).isTrue();
        assertThat(statements
                        .find(ALICE, ACCOUNT, TODAY, MIDNIGHT.minusMillis(1))
                        .orElseThrow()
                        .complete())
                .isFalse();
        assertThat(statements.find(BOB, ACCOUNT, TODAY, MIDNIGHT)).isEmpty();
        assertThat(statements.find(ALICE, ACCOUNT, TODAY.plusDays(1), MIDNIGHT)).isEmpty();
        assertThat(statements.find(ALICE, ACCOUNT, TODAY.minusDays(1), MIDNIGHT))
                .isEmpty();
    }

    @Test
    @DisplayName("What nothing explains is the difference, by asset")
    void differenceIsTold() {
        samples.report(NOON, "1000", List.of(position("AAPL", "5")));
        samples.report(NOON.plusSeconds(9), "1000.000000001", List.of(position("AAPL", "3")));
        assertThat(lines(TODAY))
                .containsExactly(
                        "USD start 1000, end 1000, reported 1000.000000001, difference 0",
                        "AAPL start 5, end 5, reported 3, difference -2");
    }

    @Test
    @DisplayName("Fees of executions, fees that are booked, dividends and deposits are lines of their own")
    void feesAndActivitiesAreLines() {
        samples.report(NOON, "1000", List.of(), booked("before", "CSD", null, null, "77"));
        Execution coin = new Execution(
                "a",
                0,
                Decimal.of("0.5"),
                Decimal.of("200"),
                NOON.plusSeconds(1),
                false,
                new ExecutionFee(SignedDecimal.of("0.001"), "BTC"),
                "v-1");
        samples.order("o-1", "BTC/USD", coin);
        samples.report(
                NOON.plusSeconds(9),
                "951.2",
                List.of(position("BTC/USD", "0.498")),
                booked("before", "CSD", null, null, "77"),
                booked("fee", "FEE", null, null, "-0.2"),
                booked("coin-fee", "CFEE", "BTC/USD", "-0.001", "0"),
                booked("dividend", "DIV", "AAPL", "10", "1.4"),
                booked("deposit", "CSD", null, null, "50"));
        assertThat(lines(TODAY))
                .containsExactly(
                        "USD start 1000, fills -100, fees -0.2, CSD 50, DIV 1.4, end 951.2, reported 951.2, difference 0",
                        "BTC/USD start 0, fills 0.5, fees -0.002 (2), end 0.498, reported 0.498, difference 0");
    }

    @Test
    @DisplayName("Each execution is in one statement: by the reports beside midnight, not by midnight")
    void statementsFollowOneAnother() {
        samples.report(NOON, "1000", List.of());
        samples.report(MIDNIGHT.minusSeconds(5), "1000", List.of());
        samples.order("o-1", execution("late", MIDNIGHT.minusSeconds(1)), execution("early", MIDNIGHT.plusSeconds(1)));
        samples.report(MIDNIGHT.plusSeconds(9), "800", List.of(position("AAPL", "2")));
        assertThat(lines(TODAY)).containsExactly("USD start 1000, end 1000, reported 1000, difference 0");
        assertThat(lines(TODAY.plusDays(1)))
                .containsExactly(
                        "USD start 1000, fills -200 (2), end 800, reported 800, difference 0",
                        "AAPL start 0, fills 2 (2), end 2, reported 2, difference 0");
        samples.report(MIDNIGHT.plus(Duration.ofDays(3)), "800", List.of(position("AAPL", "2")));
        assertThat(of(TODAY.plusDays(4)).from()).isEqualTo(MIDNIGHT.plusSeconds(9));
    }

    @Test
    @DisplayName("A report that lists an execution from after its time is not kept: it may hold it or not")
    void ambiguousReportIsPassedOver() {
        samples.report(
                NOON,
                "900",
                List.of(position("AAPL", "1")),
                activity("a", NOON.plusMillis(40), "buy", "1", "100", "v-1"));
        assertThat(statements.find(ALICE, ACCOUNT, TODAY, MIDNIGHT)).isEmpty();
        samples.report(
                NOON.plusSeconds(1),
                "900",
                List.of(position("AAPL", "1")),
                activity("a", NOON.plusMillis(40), "buy", "1", "100", "v-1"));
        assertThat(lines(TODAY))
                .containsExactly(
                        "USD start 900, end 900, reported 900, difference 0",
                        "AAPL start 1, end 1, reported 1, difference 0");
        assertThat(of(TODAY).from()).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    @DisplayName("A bust counts on its own day; one of the same day takes back its execution")
    void bustCountsOnItsDay() {
        Execution first = execution("a", NOON.plusSeconds(1));
        Execution second = execution("b", NOON.plusSeconds(2));
        samples.report(NOON, "1000", List.of());
        samples.order("o-1", first, second, busted(first, NOON.plusSeconds(3)));
        samples.report(NOON.plusSeconds(9), "900", List.of(position("AAPL", "1")));
        samples.order("o-1", busted(second, MIDNIGHT.plusSeconds(3)));
        samples.report(MIDNIGHT.plusSeconds(9), "1000", List.of());
        assertThat(lines(TODAY))
                .containsExactly(
                        "USD start 1000, fills -200 (2), busts 100, end 900, reported 900, difference 0",
                        "AAPL start 0, fills 2 (2), busts -1, end 1, reported 1, difference 0");
        assertThat(lines(TODAY.plusDays(1)))
                .containsExactly(
                        "USD start 900, busts 100, end 1000, reported 1000, difference 0",
                        "AAPL start 1, busts -1, end 0, reported 0, difference 0");
    }

    @Test
    @DisplayName("A report of an earlier epoch, or of an earlier time, leaves the day as it was")
    void lastReportOfDayCounts() {
        samples.report(NOON, "1000", List.of());
        samples.report(NOON.plusSeconds(9), "1001", List.of());
        samples.report(NOON.plusSeconds(8), "1002", List.of());
        assertThat(lines(TODAY)).containsExactly("USD start 1000, end 1000, reported 1001, difference 1");
    }
}
