package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.HeldAccount.Activity;
import dev.berth.acceptance.rest.HeldAccount.OpenOrder;
import dev.berth.acceptance.rest.HeldAccount.Position;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Signal;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import dev.berth.acceptance.stream.StreamClient;
import dev.berth.acceptance.stream.StreamEvent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a user sees of an account, beside what its venue has. */
@ExtendWith(StackExtension.class)
class AccountReadTest {
    /** From the fill to the same account here, while the request budget lasts. */
    private static final Duration FOLLOWS = Duration.ofSeconds(2);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stack stack;
    private final Venue venue;
    private final VenueAccounts accounts;

    AccountReadTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.accounts = VenueAccounts.of(stack);
    }

    @AfterEach
    void resetVenue() throws Exception {
        venue.reset();
    }

    private static void assertSame(HeldAccount here, VenueAccounts.Account there) throws Exception {
        assertThat(here.positions().items())
                .extracting(Position::symbol, position -> position.quantity().stripTrailingZeros())
                .containsExactlyInAnyOrderElementsOf(there.positions().stream()
                        .map(position -> tuple(position.symbol(), position.qty().stripTrailingZeros()))
                        .toList());
        assertThat(here.balances().cash()).isEqualByComparingTo(there.cash());
    }

    @Test
    @Tag("T1")
    @DisplayName(
            "Two seconds after a fill, money, positions, orders and activities are the venue's, also on the stream")
    void accountFollowsFills() throws Exception {
        Trader trader = Eventually.trading(stack, "read-follows");
        HeldAccount account = new HeldAccount(trader);
        await().atMost(TIMEOUT).until(() -> account.get("positions").status() == 200);
        try (StreamClient stream = new StreamClient(List.of(stack.api().base()), 0, trader.token(), 0)) {
            await().atMost(TIMEOUT).until(() -> stream.connects() > 0);
            for (int number = 1; number <= 5; number++) {
                String id = "follows-" + number;
                trader.submit(OrderBody.market(id, "AAPL", number % 2 == 0 ? "sell" : "buy", "2"), 20);
                Eventually.order(trader, id, "FILLED", TIMEOUT);
                await().atMost(FOLLOWS).untilAsserted(() -> assertSame(account, accounts.of(trader)));
            }
            trader.submit(OrderBody.limit("follows-rests", "MSFT", "buy", "1", "90"), 20);
            await().atMost(FOLLOWS)
                    .untilAsserted(() -> assertThat(account.orders().items())
                            .extracting(OpenOrder::clientOrderId, OpenOrder::origin)
                            .containsExactly(tuple("follows-rests", "berth")));
            assertThat(account.activities())
                    .filteredOn(activity -> activity.kind().equals("FILL"))
                    .hasSize(6);
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(stream.messages("account"))
                            .extracting(StreamEvent::position)
                            .isSorted()
                            .hasSizeGreaterThan(5));
        }
    }

    @Test
    @Tag("T1")
    @DisplayName("Only fresh=true starts a worker; what was read stays when the worker has ended")
    void freshReadStartsWorker() throws Exception {
        Trader trader = stack.trader("read-fresh");
        HeldAccount account = new HeldAccount(trader);
        JsonResponse unread = account.get("balances");
        assertThat(unread.status()).isEqualTo(404);
        assertThat(unread.text("type")).endsWith("account-not-read");
        assertThat(account.get("activities").text("type")).endsWith("account-not-read");
        String elsewhere = HeldAccount.PATH.replaceFirst("paper/$", "nowhere/");
        assertThat(trader.get(elsewhere + "activities").text("type")).endsWith("unknown-account");
        assertThat(trader.worker().state()).isEqualTo("TERMINATED");

        Instant before = Instant.now();
        JsonResponse fresh = account.get("balances?fresh=true");
        assertThat(fresh.status()).as("%s", fresh.body()).isEqualTo(200);
        assertThat(fresh.as(HeldAccount.Balances.class).asOf()).isAfter(before);
        assertThat(account.get("activities").as(HeldAccount.Activities.class).asOf())
                .isAfter(before);
        assertThat(trader.worker().state()).isEqualTo("ACTIVE");

        assertThat(trader.delete("/v1/worker").status()).isEqualTo(202);
        Eventually.worker(trader, "TERMINATED", TIMEOUT);
        assertThat(account.balances().asOf()).isAfter(before);
        assertThat(trader.worker().state()).isEqualTo("TERMINATED");
    }

    @Test
    @Tag("T1")
    @DisplayName("Many who ask at the same time share few readings, each of which began after they asked")
    void readingsAreShared() throws Exception {
        Trader trader = Eventually.trading(stack, "read-shared");
        HeldAccount account = new HeldAccount(trader);
        assertThat(account.get("positions?fresh=true").status()).isEqualTo(200);
        long before = readings(trader);
        Instant asked = Instant.now();
        Callable<JsonResponse> read = () -> account.get("positions?fresh=true");
        List<JsonResponse> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<JsonResponse> answer : threads.invokeAll(Collections.nCopies(20, read))) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
            assertThat(answer.as(HeldAccount.Positions.class).asOf()).isAfter(asked);
        });
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(readings(trader) - before).isBetween(1L, 10L));
    }

    private long readings(Trader trader) throws Exception {
        return new TemporalCli(stack)
                .workflow(
                        "count",
                        "--query",
                        "WorkflowType = 'ReadAccount' AND BerthUserId = '%s'".formatted(trader.user()))
                .path("count")
                .asLong();
    }

    @Test
    @Tag("T1")
    @DisplayName("Without budget a fresh read is 429, an older one is shown, and orders pass")
    void readsLeaveBudget() throws Exception {
        Trader trader = Eventually.trading(stack, "read-budget");
        HeldAccount account = new HeldAccount(trader);
        JsonResponse answer = account.get("positions?fresh=true");
        for (int read = 0; read < 80 && answer.status() == 200; read++) {
            answer = account.get("positions?fresh=true");
        }
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(429);
        assertThat(answer.text("type")).endsWith("request-budget");
        assertThat(answer.raw().headers().firstValue("Retry-After")).isPresent();
        assertThat(account.get("positions").status()).isEqualTo(200);
        Eventually.filled(trader, "read-budget-order");
        // Each heartbeat says it.
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(trader.worker().requestsUsed()).isBetween(45, 75));
    }

    @Test
    @Tag("T2")
    @DisplayName("An order that was made elsewhere is shown, can be canceled, has no workflow, and is never sent again")
    void foreignOrderIsShown() throws Exception {
        Trader trader = Eventually.trading(stack, "read-foreign");
        HeldAccount account = new HeldAccount(trader);
        String foreign = accounts.submit(trader, "by-hand-1", "NVDA", "buy", "2", "80");
        await().atMost(FOLLOWS)
                .untilAsserted(() -> assertThat(account.orders().items())
                        .extracting(OpenOrder::venueOrderId, OpenOrder::clientOrderId, OpenOrder::origin)
                        .containsExactly(tuple(foreign, "by-hand-1", "foreign")));

        Worker before = trader.worker();
        Signal.KILL.send(List.of(before.pid()));
        Eventually.filled(trader, "read-foreign-again");
        assertThat(trader.worker().epoch()).isGreaterThan(before.epoch());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(account.orders().items())
                        .extracting(OpenOrder::venueOrderId)
                        .containsExactly(foreign));

        assertThat(account.cancel(foreign).status()).isEqualTo(202);
        await().atMost(FOLLOWS)
                .untilAsserted(() -> assertThat(account.orders().items()).isEmpty());
        JsonResponse again = account.cancel(foreign);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("type")).endsWith("not-cancelable");
        assertThat(account.cancel("00000000-0000-0000-0000-000000000000").status())
                .isEqualTo(404);
        assertThat(account.cancel("not%20an%20id").status()).isEqualTo(404);

        assertThat(venue.accepted(trader, "by-hand-1")).hasSize(1);
        assertThat(new TemporalCli(stack)
                        .workflow(
                                "count",
                                "--query",
                                "WorkflowId IN ('order:%s:by-hand-1', 'late:%s:by-hand-1')"
                                        .formatted(trader.user(), trader.user()))
                        .path("count")
                        .asLong())
                .isZero();
    }

    @Test
    @Tag("T2")
    @DisplayName("A position from elsewhere is the account's own")
    void foreignPositionIsShown() throws Exception {
        Trader trader = Eventually.trading(stack, "read-position");
        HeldAccount account = new HeldAccount(trader);
        accounts.submit(trader, "by-hand-2", "TSLA", "buy", "7", "110");
        await().atMost(FOLLOWS).untilAsserted(() -> assertSame(account, accounts.of(trader)));
        assertThat(account.positions().items())
                .filteredOn(position -> position.symbol().equals("TSLA"))
                .extracting(Position::quantity)
                .containsExactly(new BigDecimal("7"));
        assertThat(account.activities()).extracting(Activity::quantity).contains(new BigDecimal("7"));
    }
}
