package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs {@code ./berth verify} on a healthy stack and on one with planted violations. */
@ExtendWith(StackExtension.class)
class VerifyTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;

    VerifyTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    /** The evidence of the promise's breaches. */
    private static List<String> broken(FinishedCommand verify, String promise) throws Exception {
        return JsonRecords.read(verify.out(), PrintedReport.class).promises().stream()
                .filter(one -> one.promise().equals(promise))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no promise is called " + promise + ": " + verify.out()))
                .broken();
    }

    private FinishedCommand verify(String arguments) throws Exception {
        return new BerthCommand(stack).run("verify " + arguments);
    }

    @Test
    @Tag("X1")
    @DisplayName("Orders, replacements and a killed worker break no promise")
    void healthyStackBreaksNoPromise() throws Exception {
        Trader trader = stack.trader("verified");
        trader.submit(OrderBody.market("m", "AAPL", "buy", "2"), 60);
        trader.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 60);
        trader.submit(OrderBody.limit("moved", "AAPL", "buy", "1", "50"), 60);
        assertThat(trader.replace("moved", "{\"quantity\":\"2\"}").status()).isIn(200, 202);
        trader.submit(OrderBody.limit("gone", "AAPL", "buy", "1", "50"), 60);
        trader.delete("/v1/orders/gone");
        killInMidOrder(trader);
        FinishedCommand verify = verify("--user verified");
        assertThat(verify.status()).as("%s%s", verify.out(), verify.errors()).isZero();
        assertThat(verify.out()).contains("No promise is broken.").doesNotContain("BROKEN");
        assertThat(verify.out().lines().filter(line -> line.startsWith("no accepted order is lost")))
                .singleElement()
                .asString()
                .endsWith("5       0");
    }

    private void killInMidOrder(Trader trader) throws Exception {
        venue.delay(2_000);
        int before = venue.arrivals(trader).size();
        trader.submit(OrderBody.market("mid", "AAPL", "sell", "1").json());
        Eventually.arrivals(venue, trader, before + 1);
        Processes.signal(trader.worker().pid(), "KILL");
        Eventually.order(trader, "mid", "FILLED", TIMEOUT);
        venue.delay(0);
    }

    @Test
    @Tag("long")
    @Tag("X1")
    @DisplayName("A second submission after a proof of absence breaks no promise")
    void resendAfterProofIsAllowed() throws Exception {
        Trader trader = stack.trader("verified-again");
        venue.faults("{\"serverError\":1.0}");
        trader.submit(OrderBody.market("again", "AAPL", "buy", "1").json());
        Eventually.order(trader, "again", "UNKNOWN", TIMEOUT);
        venue.faults("{}");
        Eventually.order(trader, "again", "FILLED", TIMEOUT);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::verdict)
                .containsExactly("serverError", "accepted");
        FinishedCommand verify = verify("--user verified-again");
        assertThat(verify.status()).as("%s%s", verify.out(), verify.errors()).isZero();
    }

    @Test
    @Tag("X1")
    @DisplayName("Orders placed at the venue by hand are not counted as Berth's")
    void foreignVenueOrdersAreIgnored() throws Exception {
        FleetOperator operator = FleetOperator.of(stack);
        assertThat(operator.tell("/workers/verified-foreign:suspend", "a test").status())
                .isEqualTo(202);
        Trader trader = stack.trader("verified-foreign");
        trader.submit(OrderBody.market("fails", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        Eventually.order(trader, "fails", "FAILED", TIMEOUT);
        assertThat(submitToVenue(trader, "fails")).isEqualTo(200);
        assertThat(submitToVenue(trader, "by-hand")).isEqualTo(200);
        FinishedCommand verify = verify("--user verified-foreign");
        assertThat(verify.status()).as("%s%s", verify.out(), verify.errors()).isZero();
        assertThat(verify.out()).contains("2 orders at the venue are not ours");
    }

    @Test
    @Tag("X1")
    @DisplayName("A late repeat of an earlier epoch, a changed row and a logged secret are found")
    void plantedViolationsAreFound() throws Exception {
        Trader trader = stack.trader("spoiled");
        // A running worker lets the next order have a short deadline.
        Eventually.filled(trader, "warm");
        trader.submit(OrderBody.market("once", "AAPL", "buy", "1").within(Duration.ofSeconds(5)), 60);
        PlacedOrder once = Eventually.order(trader, "once", "FILLED", TIMEOUT);
        Instant deadline = once.submittedAt().plusSeconds(5);
        // A running workflow would overwrite the changed row.
        new TemporalCli(stack).awaitLast("order:spoiled:once", "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", TIMEOUT);
        changeRow("{status}", "CANCELED");
        changeRow("{filledQuantity}", "7");
        await().atMost(TIMEOUT).until(() -> Instant.now().isAfter(deadline.plusSeconds(2)));
        assertThat(submitToVenue(trader, "once", "Berth-Epoch", "0")).isEqualTo(422);
        assertThat(submitToVenue(trader, "ghost", "Berth-Epoch", "9")).isEqualTo(200);
        Path log = Files.writeString(stack.home().resolve("log/planted.log"), "fine\nsecret=paper-spoiled\n");
        try {
            FinishedCommand verify = verify("--user spoiled -o json --wait 0");
            assertThat(verify.status())
                    .as("%s%s", verify.out(), verify.errors())
                    .isEqualTo(1);
            assertThat(broken(verify, "disagreement"))
                    .anyMatch(line -> line.contains("spoiled:once is CANCELED in PostgreSQL, and FILLED in Temporal"))
                    .anyMatch(line -> line.contains("spoiled:once is CANCELED, and filled at the venue"))
                    .anyMatch(line -> line.contains("spoiled:once has 7 filled, and 1 at the venue"));
            assertThat(broken(verify, "doubled-order"))
                    .singleElement()
                    .asString()
                    .contains("once", "though the venue had it");
            assertThat(broken(verify, "late-send")).singleElement().asString().contains("spoiled:once");
            assertThat(broken(verify, "two-workers"))
                    .singleElement()
                    .asString()
                    .contains("epoch 0", "epoch " + once.workerEpoch());
            assertThat(broken(verify, "lost-order")).singleElement().asString().contains("ghost", "sent by a worker");
            assertThat(broken(verify, "secret-leak")).singleElement().asString().contains("planted.log:2");
        } finally {
            Files.delete(log);
        }
    }

    @Test
    @Tag("T9")
    @DisplayName("Executions here and elsewhere explain an account; a changed price in the ledger is found")
    void changedLedgerIsFound() throws Exception {
        Trader trader = Eventually.trading(stack, "explained");
        Eventually.filled(trader, "mine");
        assertThat(submitToVenue(trader, "by-hand")).isEqualTo(200);
        FinishedCommand clean = verify("--user explained");
        assertThat(clean.status()).as("%s%s", clean.out(), clean.errors()).isZero();
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(verify("--user explained --wait 0").out())
                                .doesNotContain("note: the executions, fees"));
        try (Connection postgres = stack.openPostgres();
                var update = postgres.prepareStatement("UPDATE fills SET price = price + 1 WHERE user_id = 'explained'"
                        + " AND client_order_id = 'mine'")) {
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        FinishedCommand spoiled = verify("--user explained -o json --wait 0");
        assertThat(spoiled.status()).isEqualTo(1);
        assertThat(broken(spoiled, "unexplained-holdings"))
                .singleElement()
                .asString()
                .contains("explained", "add up to 9999698.97 in cash", "has 9999699.97 in cash and {AAPL=3}");
    }

    @Test
    @DisplayName("Wrong usage ends with 2, an unreachable stack with 3")
    void exitCodesOfWrongUsageAndOutage() throws Exception {
        assertThat(verify("--fast").status()).isEqualTo(2);
        FinishedCommand unavailable =
                new BerthCommand(stack.with(Map.of("BERTH_POSTGRES_PORT", "1"))).run("verify --wait 0");
        assertThat(unavailable.status()).isEqualTo(3);
        assertThat(unavailable.errors()).contains("not all of the stack is reachable", "./berth up");
    }

    /** Sends an order to the venue without Berth and returns the HTTP status. */
    private int submitToVenue(Trader trader, String id, String... headers) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("APCA-API-KEY-ID", trader.user(), "APCA-API-SECRET-KEY", "paper-" + trader.user()));
        all.addAll(List.of(headers));
        String body = """
                {"client_order_id":"%s","symbol":"AAPL","qty":"1","side":"buy","type":"market","time_in_force":"day"}""".formatted(id);
        return stack.venue()
                .call("POST", "/v2/orders", body, all.toArray(String[]::new))
                .status();
    }

    /** Changes the stored row of the order. */
    private void changeRow(String path, String value) throws Exception {
        try (Connection postgres = stack.openPostgres();
                var update = postgres.prepareStatement("UPDATE orders SET state = jsonb_set(state, ?::text[],"
                        + " to_jsonb(?::text)) WHERE user_id = 'spoiled' AND client_order_id = 'once'")) {
            update.setString(1, path);
            update.setString(2, value);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }
}
