package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import dev.berth.acceptance.stack.VenueLog;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The executions that a user sees, beside those in the venue's book. */
@Tag("T9")
@ExtendWith(StackExtension.class)
class FillsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String PAPER = "alpaca/equity/paper/paper";

    private final Stack stack;
    private final Venue venue;
    private final VenueAccounts accounts;

    FillsTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.accounts = VenueAccounts.of(stack);
    }

    @AfterEach
    void resetVenue() throws Exception {
        venue.reset();
    }

    /** One execution as the API shows it. */
    private record Fill(
            String executionId,
            @Nullable String clientOrderId,
            String venueOrderId,
            String account,
            String symbol,
            String side,
            BigDecimal quantity,
            BigDecimal price,
            Instant at,
            boolean busted) {}

    private static List<Fill> fills(Trader trader, String query) throws Exception {
        return trader.get("/v1/fills?" + query).list("items", Fill.class);
    }

    private static JsonResponse csv(Trader trader, String query) throws Exception {
        return trader.api()
                .call("GET", "/v1/fills?" + query, null, "Authorization", trader.bearer(), "Accept", "text/csv");
    }

    /** The ids in the venue's book. */
    private List<String> booked(Trader trader) throws Exception {
        return VenueLog.of(stack).orders().stream()
                .filter(order -> order.account().equals(trader.user()))
                .flatMap(order -> order.fills().stream())
                .map(VenueLog.Fill::executionId)
                .toList();
    }

    private void awaitAll(Trader trader) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(fills(trader, "limit=500"))
                        .extracting(Fill::executionId)
                        .containsExactlyInAnyOrderElementsOf(booked(trader)));
    }

    @Test
    @DisplayName("Executions of orders made here and elsewhere are shown, each once, newest first")
    void bothOriginsAreShown() throws Exception {
        Trader trader = Eventually.trading(stack, "fills-both");
        await().atMost(TIMEOUT)
                .until(() -> new HeldAccount(trader).get("positions").status() == 200);
        String foreign = accounts.submit(trader, "by-hand", "NVDA", "buy", "2", "110");
        String coin = accounts.submit(trader, "coin", "BTC/USD", "buy", "0.01", "70000");
        trader.submit(OrderBody.market("sold", "AAPL", "sell", "1"), 60);
        awaitAll(trader);
        List<Fill> all = fills(trader, "");
        assertThat(all).extracting(Fill::at).isSortedAccordingTo((one, other) -> other.compareTo(one));
        assertThat(all)
                .extracting(Fill::clientOrderId, Fill::symbol, Fill::side, Fill::account)
                .containsExactlyInAnyOrder(
                        tuple("sold", "AAPL", "sell", PAPER),
                        tuple("warm", "AAPL", "buy", PAPER),
                        tuple(null, "NVDA", "buy", PAPER),
                        tuple(null, "BTC/USD", "buy", PAPER));
        assertThat(all)
                .filteredOn(fill -> fill.clientOrderId() == null)
                .extracting(Fill::venueOrderId)
                .containsExactlyInAnyOrder(foreign, coin);
        assertThat(all)
                .filteredOn(fill -> "sold".equals(fill.clientOrderId()))
                .extracting(Fill::venueOrderId)
                .containsExactly(trader.order("sold").venueOrderId());
        assertThat(fills(trader, "symbol=BTC%2FUSD&account=" + PAPER))
                .extracting(Fill::quantity)
                .containsExactly(new BigDecimal("0.01"));
        assertThat(fills(trader, "account=alpaca/equity/paper/other")).isEmpty();
        assertThat(fills(stack.trader("fills-other"), "")).isEmpty();
        Instant newest = all.getFirst().at();
        assertThat(fills(trader, "from=" + newest)).contains(all.getFirst());
        assertThat(fills(trader, "to=" + newest)).hasSizeLessThan(4).doesNotContain(all.getFirst());
    }

    @Test
    @DisplayName("A busted execution is marked, and stays in the list")
    void bustIsMarked() throws Exception {
        Trader trader = Eventually.trading(stack, "fills-busted");
        awaitAll(trader);
        String execution = booked(trader).getFirst();
        venue.bust(String.valueOf(trader.order("warm").venueOrderId()), execution);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(fills(trader, ""))
                        .extracting(Fill::executionId, Fill::busted)
                        .containsExactly(tuple(execution, true)));
    }

    @Test
    @DisplayName("Pages have every execution once; CSV and the command have the same")
    void pagesAndCsvAreComplete() throws Exception {
        Trader trader = Eventually.trading(stack, "fills-pages");
        for (int number = 0; number < 12; number++) {
            trader.submit(OrderBody.market("many-" + number, "AAPL", number % 2 == 0 ? "buy" : "sell", "1"), 60);
        }
        accounts.submit(trader, "by-hand", "MSFT", "buy", "3", "110");
        awaitAll(trader);
        List<Fill> all = fills(trader, "limit=500");
        List<Fill> paged = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            ResultPage<Fill> page = trader.get("/v1/fills?limit=4" + cursor).page(Fill.class);
            paged.addAll(page.items());
            cursor = page.nextCursor() == null ? null : "&cursor=" + page.nextCursor();
        }
        assertThat(paged).isEqualTo(all);

        JsonResponse answer = csv(trader, "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.raw().headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/csv"));
        List<List<String>> lines = CsvLines.of(answer.raw().body());
        assertThat(lines.getFirst()).startsWith("executionId", "clientOrderId", "venueOrderId");
        assertThat(lines.stream().skip(1).map(List::getFirst).toList())
                .isEqualTo(all.stream().map(Fill::executionId).toList());
        assertThat(new BerthCommand(stack).done("fills --user fills-pages -o csv --account " + PAPER))
                .isEqualTo(answer.raw().body());
        assertThat(new BerthCommand(stack).done("fills --user fills-pages --symbol MSFT"))
                .contains(" buy ", " MSFT ", "100.01");
    }

    private static String cursorWithNul() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("2026-11-30T12:00:00Z x \0".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("What makes no sense is refused with a problem, also when CSV was asked for")
    void nonsenseIsRefused() throws Exception {
        Trader trader = stack.trader("fills-nonsense");
        for (String query : List.of("limit=0", "limit=501", "cursor=x", "symbol=%00", "cursor=" + cursorWithNul())) {
            assertThat(trader.get("/v1/fills?" + query).status()).as(query).isEqualTo(400);
        }
        for (String time : List.of("yesterday", "", "-5000-01-01T00:00:00Z", "%2B300000-01-01T00:00:00Z")) {
            JsonResponse answer = trader.get("/v1/fills?from=" + time);
            assertThat(answer.status()).as(time).isEqualTo(400);
            assertThat(answer.text("detail")).startsWith("from is an RFC 3339 time");
        }
        JsonResponse account = csv(trader, "account=alpaca/equity");
        assertThat(account.status()).isEqualTo(422);
        assertThat(account.text("type")).endsWith("invalid-account");
        assertThat(csv(trader, "cursor=x").text("type")).endsWith("invalid-request");
    }
}
