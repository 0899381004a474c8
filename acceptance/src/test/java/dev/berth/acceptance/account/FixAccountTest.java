package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.bench.OnCallOperator;
import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An account at the venue's FIX port. */
@ExtendWith(StackExtension.class)
class FixAccountTest {
    private static final Duration RECOVERY = Duration.ofSeconds(90);

    private final Stack stack;
    private final Venue venue;

    FixAccountTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    private static String fix(OrderBody order) {
        return order.with(LocalAccount.FIX).json();
    }

    private static JsonResponse submit(Trader trader, OrderBody order) throws Exception {
        JsonResponse answer = trader.submit(fix(order), "Prefer", "wait=60");
        assertThat(answer.status()).as("%s", answer.body()).isIn(201, 202);
        return answer;
    }

    /** The same user, under the name that the venue knows. */
    private static Trader atVenue(Trader trader) {
        return new Trader(trader.api(), LocalAccount.FIX.keyId(trader.user()), trader.token());
    }

    @Test
    @Tag("Y5")
    @DisplayName("Orders are filled, replaced and canceled over FIX, in an account of their own at the venue")
    void ordersTradeOverFix() throws Exception {
        Trader trader = stack.trader("fix-trades");
        submit(trader, OrderBody.market("f-1", "AAPL", "buy", "3"));
        Eventually.order(trader, "f-1", "FILLED", RECOVERY);
        Eventually.fills(trader, "f-1", "3");
        assertThat(submit(trader, OrderBody.limit("f-2", "AAPL", "buy", "2", "90"))
                        .text("status"))
                .isEqualTo("NEW");
        assertThat(trader.replace("f-2", "{\"quantity\":\"4\",\"limitPrice\":\"91\"}")
                        .status())
                .isIn(200, 202);
        Eventually.order(trader, "f-2", "NEW", RECOVERY);
        assertThat(trader.delete("/v1/orders/f-2").status()).isIn(200, 202);
        Eventually.order(trader, "f-2", "CANCELED", RECOVERY);
        List<VenueLog.Order> book = VenueLog.of(stack).orders().stream()
                .filter(order -> order.account().equals("fix-fix-trades"))
                .toList();
        assertThat(book).extracting(VenueLog.Order::clientOrderId).containsExactly("f-1", "f-2", "f-2.r1");
        assertThat(venue.arrivals(atVenue(trader)).getFirst().epoch())
                .isEqualTo(trader.worker().epoch());
        assertThat(venue.arrivals(trader)).isEmpty();
        JsonResponse positions = trader.get("/v1/accounts/fix/equity/paper/paper/positions");
        assertThat(positions.status()).isEqualTo(422);
        assertThat(positions.text("type")).endsWith("not-supported");
    }

    @Test
    @Tag("Y5")
    @Tag("Y7")
    @DisplayName("An order whose report is lost is found by its ClOrdID, and not sent again")
    void lostReportIsFound() throws Exception {
        Trader trader = stack.trader("fix-lost");
        submit(trader, OrderBody.market("warm", "AAPL", "buy", "1"));
        venue.faults("{\"dropAnswer\":1.0}");
        trader.submit(fix(OrderBody.market("lost", "AAPL", "buy", "1")));
        Eventually.arrivals(venue, atVenue(trader), 2);
        venue.reset();
        PlacedOrder order = Eventually.order(trader, "lost", "FILLED", RECOVERY);
        assertThat(order.attempts()).isEqualTo(1);
        assertThat(venue.accepted(atVenue(trader), "lost")).hasSize(1);
    }

    @Test
    @Tag("Y5")
    @Tag("Y7")
    @DisplayName("Workers that are killed while orders flow over FIX lose none and send none twice")
    void killedWorkersDoubleNothing() throws Exception {
        Trader trader = stack.trader("fix-killed");
        submit(trader, OrderBody.market("warm", "AAPL", "buy", "1"));
        List<String> ids = new ArrayList<>(List.of("warm"));
        for (int kill = 1; kill <= 3; kill++) {
            Worker worker = Eventually.worker(trader, "ACTIVE", RECOVERY);
            for (int number = 1; number <= 4; number++) {
                String id = "k-" + kill + "-" + number;
                ids.add(id);
                trader.submit(fix(OrderBody.market(id, "AAPL", "buy", "1").within(Duration.ofMinutes(10))));
            }
            Processes.signalIfAlive(worker.pid(), "KILL");
            Eventually.successor(trader, worker, RECOVERY);
        }
        try (OnCallOperator _ = OnCallOperator.begin(stack)) {
            for (String id : ids) {
                Eventually.order(trader, id, "FILLED", RECOVERY);
            }
        }
        for (String id : ids) {
            assertThat(venue.accepted(atVenue(trader), id)).as(id).hasSize(1);
        }
        assertThat(venue.arrivals(atVenue(trader)))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    private JsonResponse put(Trader trader, String accountId, int port) throws Exception {
        return new AccountsClient(stack, trader)
                .put("/v1/accounts/fix/equity/paper/" + accountId, """
                {"keyId": "%s-named", "secret": "own", "host": "127.0.0.1", "port": %s, "targetCompId": "VENUE",
                 "tls": false}""".formatted(trader.user(), port));
    }

    @Test
    @Tag("Y4")
    @DisplayName("An account trades at the counterparty that it names, if the operator allows it, and at no other")
    void accountNamesItsCounterparty() throws Exception {
        Trader trader = stack.trader("fix-named");
        assertThat(put(trader, "named", stack.port("FIX", 19_880)).status()).isEqualTo(200);
        String named = LocalAccount.FIX.json().replace("\"accountId\":\"paper\"", "\"accountId\":\"named\"");
        JsonResponse order = trader.submit(
                OrderBody.market("n-1", "AAPL", "buy", "1").json().replace(Trader.ACCOUNT, named), "Prefer", "wait=60");
        assertThat(order.status()).as("%s", order.body()).isIn(201, 202);
        Eventually.order(trader, "n-1", "FILLED", RECOVERY);
        assertThat(VenueLog.of(stack).orders())
                .filteredOn(one -> one.account().equals("fix-named-named"))
                .hasSize(1);
        assertThat(put(trader, "named", stack.port("REDIS", 16_379)).status()).isEqualTo(200);
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertThat(trader.worker().reason()).contains("BERTH_FIX_PAPER_ALLOWED"));
        JsonResponse refused =
                trader.submit(OrderBody.market("n-2", "AAPL", "buy", "1").json().replace(Trader.ACCOUNT, named));
        assertThat(refused.text("type")).endsWith("credentials-refused");
        assertThat(refused.text("detail")).contains("BERTH_FIX_PAPER_ALLOWED").doesNotContain("16379");
    }
}
