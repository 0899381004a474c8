package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One user, or all, held back by an operator. */
@Order(1)
@ExtendWith(OnTheStack.class)
class SuspensionTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Stack stack;
    private final Operator operator;

    SuspensionTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = Operator.of(stack);
    }

    @AfterEach
    void resumeAll() throws Exception {
        assertThat(operator.tell("/workers:resume", "the test is over").status())
                .isEqualTo(202);
    }

    private static void submit(Trader trader, String id) throws Exception {
        // Longer than a restart of everything takes.
        assertThat(trader.submit(NewOrder.market(id, "AAPL", "buy", "1")
                                .within(Duration.ofMinutes(5))
                                .json())
                        .status())
                .isEqualTo(202);
    }

    private void restartTheApi() throws Exception {
        stack.process("api").kill();
        stack.berth("up");
    }

    @Test
    @DisplayName("D8 a suspended user's worker ends and none is started, over a restart of everything too; orders wait,"
            + " and go on when resumed")
    void oneUser() throws Exception {
        Trader trader = Eventually.trading(stack, "suspend-one");
        long pid = trader.worker().path("pid").asLong();
        assertThat(operator.tell("/workers/suspend-one:suspend", "margin call").status())
                .isEqualTo(202);
        JsonNode suspended = Eventually.worker(trader, "SUSPENDED", SOON);
        assertThat(suspended.path("reason").asText()).isEqualTo("margin call (olga)");
        assertThat(suspended.path("next").path("action").asText()).contains("resumes");
        Eventually.ended(pid, SOON);
        submit(trader, "waits");
        stack.berth("down");
        stack.berth("up");
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        assertThat(operator.get("/explain/suspend-one")
                        .body()
                        .path("ordersInFlight")
                        .asInt())
                .isEqualTo(1);
        assertThat(trader.worker().path("state").asText()).isEqualTo("SUSPENDED");
        assertThat(trader.order("waits").path("status").asText()).isEqualTo("PENDING");
        assertThat(operator.tell("/workers/suspend-one:resume", "margin paid").status())
                .isEqualTo(202);
        Eventually.order(trader, "waits", "FILLED", SOON);
    }

    @Test
    @DisplayName("D8 a user who never had a worker can be suspended before the first order")
    void beforeTheFirstOrder() throws Exception {
        Trader trader = stack.trader("suspend-new");
        assertThat(operator.tell("/workers/suspend-new:suspend", "not yet").status())
                .isEqualTo(202);
        Eventually.worker(trader, "SUSPENDED", SOON);
        submit(trader, "first");
        assertThat(trader.worker().path("epoch").asLong()).isZero();
        operator.tell("/workers/suspend-new:resume", "now");
        Eventually.order(trader, "first", "FILLED", SOON);
    }

    @Test
    @DisplayName(
            "D8 all are suspended, those who come later too, over a restart; all go on when resumed, but for who is suspended alone")
    void all() throws Exception {
        Trader one = Eventually.trading(stack, "suspend-all-1");
        Trader two = Eventually.trading(stack, "suspend-all-2");
        Trader later = stack.trader("suspend-all-3");
        operator.tell("/workers/suspend-all-2:suspend", "margin call");
        assertThat(operator.tell("/workers:suspend", "exchange is down").status())
                .isEqualTo(202);
        JsonNode held = Eventually.worker(one, "SUSPENDED", SOON);
        assertThat(held.path("reason").asText()).contains("exchange is down");
        restartTheApi();
        submit(one, "waits");
        submit(two, "waits");
        submit(later, "waits");
        Eventually.worker(later, "SUSPENDED", SOON);
        JsonNode fleet = operator.get("").body();
        assertThat(fleet.path("suspended").asBoolean()).isTrue();
        assertThat(fleet.path("lastSwitch").path("by").asText()).isEqualTo("olga");
        assertThat(fleet.path("lastSwitch").path("now").path("reason").asText()).isEqualTo("exchange is down");
        // Repeated, as after an answer that was lost.
        assertThat(operator.tell("/workers:suspend", "exchange is down").status())
                .isEqualTo(202);
        assertThat(operator.tell("/workers:resume", "it is up").status()).isEqualTo(202);
        Eventually.order(one, "waits", "FILLED", SOON);
        Eventually.order(later, "waits", "FILLED", SOON);
        assertThat(two.worker().path("state").asText()).isEqualTo("SUSPENDED");
        operator.tell("/workers/suspend-all-2:resume", "margin paid");
        Eventually.order(two, "waits", "FILLED", SOON);
    }

    @Test
    @DisplayName(
            "D8 workers of whom nobody told that all are suspended, as when the API was killed meanwhile, are told later")
    void switchedButNotTold() throws Exception {
        Trader trader = Eventually.trading(stack, "suspend-untold");
        operator.tell("/workers:resume", "so that there is a switch");
        try (Connection postgres = stack.openPostgres();
                var update = postgres.prepareStatement("UPDATE fleet_switch SET version = version + 1,"
                        + " suspended = true, reason = 'exchange is down', changed_at = now()")) {
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        Eventually.worker(trader, "SUSPENDED", SOON);
    }
}
