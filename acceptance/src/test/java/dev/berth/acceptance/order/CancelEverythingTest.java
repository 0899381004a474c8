package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Signal;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import dev.berth.acceptance.stack.VenueLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Everything is canceled at once, beside the venue's book. {@code -Dberth.mass-cancel-users=50}
 * makes it a thousand orders.
 */
@Tag("T3")
@ExtendWith(StackExtension.class)
class CancelEverythingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int USERS = Integer.getInteger("berth.mass-cancel-users", 4);
    private static final int ORDERS = 20;

    private final Stack stack;
    private final Venue venue;

    CancelEverythingTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    private record Item(
            @Nullable String clientOrderId,
            @Nullable String venueOrderId,
            String outcome,
            @Nullable String reason) {}

    private record Cancels(String id, boolean complete, int users, int canceled, List<Item> items) {}

    @AfterEach
    void reset() throws Exception {
        venue.reset();
        FleetOperator.of(stack).killSwitch("all", false);
    }

    private static void rest(Trader trader, String prefix, String symbol, int number) throws Exception {
        String orders = IntStream.rangeClosed(1, number)
                .mapToObj(at ->
                        OrderBody.limit(prefix + at, symbol, "buy", "1", "90").json())
                .collect(Collectors.joining(","));
        JsonResponse answer = trader.api()
                .call("POST", "/v1/orders:batch", "{\"orders\":[" + orders + "]}", "Authorization", trader.bearer());
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        for (int at = 1; at <= number; at++) {
            Eventually.order(trader, prefix + at, "NEW", TIMEOUT);
        }
    }

    private Set<String> open(Trader trader) throws Exception {
        return VenueLog.of(stack).orders().stream()
                .filter(order -> order.account().equals(trader.user()))
                .filter(order -> Set.of("new", "accepted", "partially_filled", "pending_cancel")
                        .contains(order.status()))
                .map(VenueLog.Order::clientOrderId)
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("Everything of a user is canceled at the venue, also what was made elsewhere; later orders pass")
    void everythingIsCanceled() throws Exception {
        Trader trader = Eventually.trading(stack, "mass-all");
        rest(trader, "aapl-", "AAPL", 10);
        rest(trader, "msft-", "MSFT", 3);
        String foreign = VenueAccounts.of(stack).submit(trader, "by-hand-7", "NVDA", "buy", "2", "80");

        JsonResponse filtered = trader.cancelAll("only-msft", "{\"symbol\":\"MSFT\",\"side\":\"buy\"}", 20);
        assertThat(filtered.status()).as("%s", filtered.body()).isEqualTo(200);
        assertThat(filtered.list("items", Item.class))
                .extracting(Item::clientOrderId, Item::outcome)
                .containsExactlyInAnyOrder(
                        tuple("msft-1", "canceled"), tuple("msft-2", "canceled"), tuple("msft-3", "canceled"));
        assertThat(open(trader)).hasSize(11);

        JsonResponse all = trader.cancelAll("all", "{}", 20);
        assertThat(all.status()).as("%s", all.body()).isEqualTo(200);
        assertThat(all.list("items", Item.class))
                .hasSize(11)
                .allMatch(item -> item.outcome().equals("canceled"));
        assertThat(all.list("items", Item.class)).extracting(Item::venueOrderId).contains(foreign);
        assertThat(open(trader)).isEmpty();
        assertThat(trader.order("aapl-10").status()).isEqualTo("CANCELED");

        rest(trader, "later-", "AAPL", 2);
        assertThat(trader.cancelAll("all", "{}", 20).list("items", Item.class))
                .as("the same call again")
                .hasSize(11);
        assertThat(open(trader)).containsExactlyInAnyOrder("later-1", "later-2");
        JsonResponse other = trader.cancelAll("all", "{\"symbol\":\"AAPL\"}", 20);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("type")).endsWith("idempotency-key-reused");
        assertThat(trader.cancelAll("end", "{}", 20).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("What was accepted before and not written ends CANCELED, though its worker had it in hand")
    void unsentOrdersAreNotSent() throws Exception {
        Trader trader = Eventually.trading(stack, "mass-unsent");
        Worker worker = trader.worker();
        Signal.STOP.send(List.of(worker.pid()));
        JsonResponse answer;
        try {
            for (int at = 1; at <= 5; at++) {
                trader.submit(
                        OrderBody.market("unsent-" + at, "AAPL", "buy", "1").json());
            }
            answer = trader.cancelAll("unsent", "{}", 2);
        } finally {
            Signal.CONT.send(List.of(worker.pid()));
        }
        assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
        for (int at = 1; at <= 5; at++) {
            Eventually.order(trader, "unsent-" + at, "CANCELED", TIMEOUT);
        }
        // Two such requests a second are accepted.
        await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            JsonResponse again = trader.cancelAll("unsent", "{}", 5);
            assertThat(again.status()).as("%s", again.body()).isEqualTo(200);
            assertThat(again.list("items", Item.class))
                    .as("%s", again.body())
                    .hasSize(5)
                    .allMatch(item -> item.outcome().equals("canceled"));
        });
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm");
        Eventually.filled(trader, "afterwards");
    }

    @Test
    @DisplayName("An order whose outcome is unknown is canceled when it is found")
    void unknownOrderIsCanceledWhenFound() throws Exception {
        Trader trader = Eventually.trading(stack, "mass-unknown");
        venue.faults("{\"dropAnswer\":1.0}");
        trader.submit(OrderBody.limit("unknown", "AAPL", "buy", "1", "90").json());
        Eventually.arrivals(venue, trader, 2);
        // A replica that another test killed may still be on its way back: then the answer says to
        // try again.
        await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            JsonResponse answer = trader.cancelAll("unknown", "{}", 1);
            assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
        });
        venue.reset();
        Eventually.order(trader, "unknown", "CANCELED", TIMEOUT);
        assertThat(open(trader)).isEmpty();
    }

    @Test
    @DisplayName(
            "A kill switch cancels what it stops, while a worker and a replica are killed; each is canceled or listed")
    void killSwitchCancelsUnderFaults() throws Exception {
        List<Trader> traders = new ArrayList<>();
        List<Callable<Trader>> starts = new ArrayList<>();
        for (int user = 1; user <= USERS; user++) {
            String name = "mass-fleet-" + user;
            starts.add(() -> {
                Trader trader = Eventually.trading(stack, name);
                rest(trader, "rests-", "AAPL", ORDERS);
                return trader;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Trader> started : threads.invokeAll(starts)) {
                traders.add(started.get());
            }
        }
        Trader first = traders.getFirst();
        long victim = first.worker().pid();
        Instant called;
        try (ApiReplica second = ApiReplica.start(stack, Map.of())) {
            FleetOperator operator = FleetOperator.of(stack);
            called = Instant.now();
            JsonResponse answer =
                    new FleetOperator(second.api(), operator.bearer()).killSwitchWithCancel("mass-fleet", "all", true);
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
            Signal.KILL.send(List.of(victim, second.process().pid()));
        }
        for (Trader trader : traders) {
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(
                            () -> assertThat(open(trader)).as(trader.user()).isEmpty());
        }
        long millis = Duration.between(called, Instant.now()).toMillis();
        for (Trader trader : traders) {
            for (int at = 1; at <= ORDERS; at++) {
                Eventually.order(trader, "rests-" + at, "CANCELED", TIMEOUT);
            }
        }
        System.out.println("mass cancel: " + USERS * ORDERS + " orders of " + USERS + " users, none at the venue after "
                + millis + " ms, with a worker and a replica killed");
        Cancels report =
                FleetOperator.of(stack).get("/kill-switch/cancels/mass-fleet").as(Cancels.class);
        assertThat(report.items())
                .as("orders of this test that are not canceled")
                .extracting(Item::clientOrderId)
                .filteredOn(id -> id != null && id.startsWith("rests-"))
                .isEmpty();
        Trader last = traders.getLast();
        assertThat(last.submit(OrderBody.market("stopped", "AAPL", "buy", "1"), 5)
                        .status())
                .isEqualTo(403);
    }
}
