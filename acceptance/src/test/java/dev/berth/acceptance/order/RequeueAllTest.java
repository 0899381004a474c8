package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RequeueReport;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requeues all of 500 failed orders, and two that cannot succeed. Takes some minutes. */
@ExtendWith(StackExtension.class)
@Tag("long")
class RequeueAllTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int USERS = 10;
    private static final int ORDERS = 50;
    private static final int PER_SECOND = 20;
    /** Its kill switch stays on, so that its order fails again. */
    private static final String POISONED = "requeue-all-poison";

    private final Venue venue;
    private final FleetOperator operator;
    private final BerthCommand berth;
    private final List<Trader> traders = new ArrayList<>();
    private final Trader poisoned;

    RequeueAllTest(Stack stack) throws Exception {
        this.venue = Venue.of(stack);
        this.operator = FleetOperator.of(stack);
        this.berth = new BerthCommand(stack);
        for (int user = 0; user < USERS; user++) {
            traders.add(stack.trader("requeue-all-" + user));
        }
        this.poisoned = stack.trader(POISONED);
    }

    @AfterEach
    void switchOff() throws Exception {
        for (Trader trader : traders) {
            operator.killSwitch("user:" + trader.user(), false);
        }
        operator.killSwitch("user:" + POISONED, false);
    }

    @Test
    @Tag("D7")
    @Tag("B5")
    @Tag("X15")
    @DisplayName("All of 500 failed orders are requeued at the rate and sent once; bad neighbours change nothing")
    void allFailedOrdersAreRequeued() throws Exception {
        failAll();
        List<String> before = results(requeue(" --dry-run"), "wouldRequeue");
        assertThat(before).hasSize(USERS * ORDERS + 1).contains(POISONED + ":again");
        for (Trader trader : traders) {
            operator.killSwitch("user:" + trader.user(), false);
        }

        Instant begin = Instant.now();
        RequeueReport outcome = requeue("");
        Duration took = Duration.between(begin, Instant.now());
        assertThat(results(outcome, "requeued")).containsExactlyInAnyOrderElementsOf(before);
        assertThat(results(outcome, "refused")).contains(POISONED + ":expired");
        // The rate holds back all but the first.
        assertThat(took).isGreaterThan(Duration.ofSeconds(USERS * ORDERS / PER_SECOND - 1));

        for (Trader trader : traders) {
            await().atMost(TIMEOUT).until(() -> count(trader, "FILLED") == ORDERS);
        }
        Duration filled = Duration.between(begin, Instant.now());
        for (Trader trader : traders) {
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .hasSize(ORDERS)
                    .doesNotHaveDuplicates();
        }
        assertThat(Eventually.order(poisoned, "again", "FAILED", TIMEOUT).reason())
                .startsWith("risk: kill-switch: ");
        assertThat(venue.arrivals(poisoned)).isEmpty();
        System.out.printf(
                Locale.ROOT,
                "requeue of %d orders: %.1f s until all are requeued, %.1f s until all are filled%n",
                before.size(),
                took.toMillis() / 1000.0,
                filled.toMillis() / 1000.0);
    }

    /** They wait for suspended workers, which then meet kill switches. */
    private void failAll() throws Exception {
        List<Trader> all = new ArrayList<>(traders);
        all.add(poisoned);
        for (Trader trader : all) {
            operator.tell("/workers/" + trader.user() + ":suspend", "a test");
        }
        for (Trader trader : traders) {
            for (int number = 0; number < ORDERS; number++) {
                submit(trader, "all-" + number, Duration.ofHours(1));
            }
        }
        submit(poisoned, "again", Duration.ofHours(1));
        submit(poisoned, "expired", Duration.ofSeconds(1));
        Eventually.order(poisoned, "expired", "FAILED", TIMEOUT);
        for (Trader trader : all) {
            operator.killSwitch("user:" + trader.user(), true);
            operator.tell("/workers/" + trader.user() + ":resume", "a test");
        }
        for (Trader trader : traders) {
            await().atMost(TIMEOUT).until(() -> count(trader, "FAILED") == ORDERS);
        }
        await().atMost(TIMEOUT).until(() -> count(poisoned, "FAILED") == 2);
    }

    private static void submit(Trader trader, String id, Duration within) throws Exception {
        assertThat(trader.submit(OrderBody.market(id, "AAPL", "buy", "1")
                                .within(within)
                                .json())
                        .status())
                .isEqualTo(202);
    }

    private static int count(Trader trader, String status) throws Exception {
        return trader.get("/v1/orders?limit=500&status=" + status)
                .page(PlacedOrder.class)
                .items()
                .size();
    }

    private RequeueReport requeue(String option) throws Exception {
        return JsonRecords.read(berth.done("requeue --all --reason drill -o json" + option), RequeueReport.class);
    }

    /** Other tests leave failed orders, too. */
    private static List<String> results(RequeueReport outcome, String result) {
        return outcome.orders().stream()
                .filter(order -> order.result().equals(result))
                .map(RequeueReport.Line::id)
                .filter(id -> id.startsWith("requeue-all-"))
                .toList();
    }
}
