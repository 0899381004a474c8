package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statements beside what the venue has. */
@Tag("T9")
@ExtendWith(StackExtension.class)
class StatementTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stack stack;
    private final Venue venue;
    private final VenueAccounts accounts;

    StatementTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.accounts = VenueAccounts.of(stack);
    }

    @AfterEach
    void resetVenue() throws Exception {
        venue.reset();
    }

    private record Statement(LocalDate date, boolean complete, Instant from, Instant to, List<Asset> assets) {
        Asset asset(String name) {
            return assets.stream()
                    .filter(one -> one.asset.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is not among " + assets));
        }
    }

    private record Asset(String asset, List<Line> lines) {
        BigDecimal amount(String line) {
            return lines.stream()
                    .filter(one -> one.line.equals(line))
                    .map(Line::amount)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(line + " is not among " + lines));
        }
    }

    private record Line(
            String line, @Nullable String kind, @Nullable Long count, BigDecimal amount) {}

    private static LocalDate today() {
        return LocalDate.now(ZoneOffset.UTC);
    }

    private static JsonResponse get(Trader trader, LocalDate day, String accept) throws Exception {
        return trader.api()
                .call(
                        "GET",
                        HeldAccount.PATH + "statements/" + day,
                        null,
                        "Authorization",
                        trader.bearer(),
                        "Accept",
                        accept);
    }

    private static Statement statement(Trader trader) throws Exception {
        return get(trader, today(), "application/json").as(Statement.class);
    }

    @Test
    @DisplayName("Executions here and elsewhere, and fees in dollars and in crypto, explain what the venue reports")
    void tradingIsExplained() throws Exception {
        Trader trader = Eventually.trading(stack, "statement-trades");
        await().atMost(TIMEOUT)
                .until(() -> get(trader, today(), "application/json").status() == 200);
        trader.submit(OrderBody.market("bought", "AAPL", "buy", "3"), 60);
        accounts.submit(trader, "by-hand", "NVDA", "buy", "2", "110");
        accounts.submit(trader, "coin", "BTC/USD", "buy", "0.01", "70000");
        accounts.submit(trader, "coin-back", "BTC/USD", "sell", "0.004", "50000");
        await().atMost(TIMEOUT).untilAsserted(() -> {
            Statement statement = statement(trader);
            VenueAccounts.Account there = accounts.of(trader);
            assertThat(statement.asset("USD").amount("reported")).isEqualByComparingTo(there.cash());
            assertThat(statement.assets())
                    .allSatisfy(asset -> assertThat(asset.amount("difference")).isZero());
            assertThat(statement.asset("BTC/USD").amount("fills")).isEqualByComparingTo("0.006");
        });
        Statement statement = statement(trader);
        assertThat(statement.complete()).isFalse();
        assertThat(statement.assets()).extracting(Asset::asset).containsExactly("USD", "AAPL", "BTC/USD", "NVDA");
        assertThat(statement.asset("NVDA").amount("end")).isEqualByComparingTo("2");
        assertThat(statement.asset("BTC/USD").amount("fees")).isEqualByComparingTo("-0.000025");
        assertThat(statement.asset("USD").amount("fees")).isNegative();
        // The first report may be from before the first order, or from after it.
        assertThat(statement.asset("USD").lines())
                .filteredOn(line -> line.line().equals("fills"))
                .extracting(Line::count)
                .first()
                .isIn(4L, 5L);

        List<List<String>> csv =
                CsvLines.of(get(trader, today(), "text/csv").raw().body());
        assertThat(csv.getFirst()).containsExactly("asset", "line", "kind", "count", "amount");
        assertThat(csv).contains(List.of("NVDA", "fills", "", "1", "2"), List.of("NVDA", "difference", "", "", "0"));
        BerthCommand berth = new BerthCommand(stack);
        assertThat(berth.done("account --user statement-trades statement " + today()))
                .containsPattern("NVDA +start +0\n +fills +2 +of 1\n");

        JsonResponse yesterday = get(trader, today().minusDays(1), "application/json");
        assertThat(yesterday.status()).isEqualTo(404);
        assertThat(yesterday.text("type")).endsWith("account-not-read");
        assertThat(trader.get(HeldAccount.PATH + "statements/today").status()).isEqualTo(400);
        assertThat(get(stack.trader("statement-other"), today(), "text/csv").status())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("A ledger that says another price than the venue is a difference")
    void differenceIsShown() throws Exception {
        Trader trader = Eventually.trading(stack, "statement-differs");
        await().atMost(TIMEOUT)
                .until(() -> get(trader, today(), "application/json").status() == 200);
        trader.submit(OrderBody.market("bought", "AAPL", "buy", "3"), 60);
        Eventually.order(trader, "bought", "FILLED", TIMEOUT);
        await().atMost(TIMEOUT)
                .until(() -> trader.get("/v1/orders/bought/fills").body().size() == 1);
        try (Connection postgres = stack.openPostgres();
                var update = postgres.prepareStatement(
                        "UPDATE fills SET price = price + 1 WHERE user_id = ? AND client_order_id = 'bought'")) {
            update.setString(1, trader.user());
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        // The statement reaches to the last report, which may be from before that order.
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(statement(trader).asset("USD").amount("difference"))
                        .isEqualByComparingTo("3"));
        assertThat(statement(trader).asset("AAPL").amount("difference")).isZero();
    }
}
