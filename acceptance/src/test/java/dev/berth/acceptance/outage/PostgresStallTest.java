package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import dev.berth.acceptance.stack.StoredOrders;
import dev.berth.acceptance.stack.Venue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL runs, but a lock holds every statement on the read model of orders, or the server has
 * no connection left.
 */
@ExtendWith(StackExtension.class)
class PostgresStallTest {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresStallTest.class);
    /** Longer than any time-out. */
    private static final Duration LONG_STALL = Duration.ofSeconds(60);

    /** The API waits a second for the lock, and reads an order's history instead. */
    private static final Duration SLOWEST_SUBMISSION = Duration.ofSeconds(6);

    private static final Duration SENT = Duration.ofSeconds(20);

    private static final int ORDERS = 10;

    /** Most take a third of a second, with the pause after each. */
    private static final Duration TRADED = Duration.ofSeconds(20L + ORDERS);

    private final Stack stack;

    PostgresStallTest(Stack stack) {
        this.stack = stack;
    }

    @Test
    @Tag("X22")
    @DisplayName("While a lock stalls PostgreSQL orders are accepted and filled; then the read model catches up")
    void ordersFillDuringStall() throws Exception {
        ordersFillDuring(Duration.ofSeconds(8), "pg-stall-");
    }

    @Test
    @Tag("X22")
    @Tag("long")
    @DisplayName("The same while the lock is held for longer than any time-out")
    void ordersFillDuringLongStall() throws Exception {
        ordersFillDuring(LONG_STALL, "pg-long-stall-");
    }

    private void ordersFillDuring(Duration stall, String users) throws Exception {
        List<Trader> traders = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            traders.add(Eventually.trading(stack, users + number));
        }
        Venue venue = Venue.of(stack);
        List<String> expected = new ArrayList<>(List.of("warm"));
        Duration slowest = Duration.ZERO;
        try (Connection postgres = stack.openPostgres();
                Statement lock = postgres.createStatement()) {
            postgres.setAutoCommit(false);
            lock.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
            Instant end = Instant.now().plus(stall);
            for (int number = 0; Instant.now().isBefore(end); number++) {
                String id = "stalled-" + number;
                for (Trader trader : traders) {
                    Instant began = Instant.now();
                    int status = trader.submit(
                                    OrderBody.market(id, "AAPL", "buy", "1").json())
                            .status();
                    assertThat(status).isBetween(200, 202);
                    Duration took = Duration.between(began, Instant.now());
                    slowest = took.compareTo(slowest) > 0 ? took : slowest;
                }
                expected.add(id);
            }
            for (Trader trader : traders) {
                await().atMost(SENT)
                        .untilAsserted(() -> assertThat(venue.arrivals(trader))
                                .extracting(Venue.Arrival::clientOrderId)
                                .containsExactlyInAnyOrderElementsOf(expected));
            }
            explainsWithoutReadModel(traders.getFirst().user(), expected.getLast());
            postgres.rollback();
        }
        LOG.warn(
                "{} orders of each user during a stall of {}; the slowest submission took {} ms",
                expected.size() - 1,
                stall,
                slowest.toMillis());
        assertThat(slowest).isLessThan(SLOWEST_SUBMISSION);
        for (Trader trader : traders) {
            new StoredOrders(stack).awaitFilled(trader, expected.size());
            stack.berth("verify", "--user", trader.user());
        }
    }

    @Test
    @Tag("X22")
    @DisplayName(
            "While PostgreSQL has no connection left orders are accepted and filled; then the read model catches up")
    void ordersFillWithoutConnections() throws Exception {
        List<SteadyTrader> traders = new ArrayList<>();
        try (Connection postgres = stack.openPostgres();
                Statement owner = postgres.createStatement()) {
            for (int number = 0; number < 2; number++) {
                traders.add(SteadyTrader.of(stack, "pg-full-" + number));
            }
            // PostgreSQL answers as it does at max_connections, with 53300.
            owner.execute("ALTER ROLE berth_api CONNECTION LIMIT 0");
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'berth_api'");
            for (SteadyTrader trader : traders) {
                int before = trader.orders();
                await().atMost(TRADED).until(() -> trader.orders() >= before + ORDERS);
            }
            allowConnections();
            for (SteadyTrader trader : traders) {
                trader.requireAllStored(stack);
            }
        } finally {
            traders.forEach(SteadyTrader::close);
            allowConnections();
        }
    }

    /** The audit answers, so what Temporal knows of the orders is shown. */
    private void explainsWithoutReadModel(String user, String order) throws Exception {
        BerthCommand berth = new BerthCommand(stack);
        assertThat(berth.done("explain " + user))
                .contains("alpaca", "orders in flight", "what postgresql has: it does not answer");
        assertThat(berth.done("explain " + user + ":" + order)).contains("Order " + order + " of " + user + " is");
    }

    private void allowConnections() throws SQLException {
        try (Connection postgres = stack.openPostgres();
                Statement owner = postgres.createStatement()) {
            owner.execute("ALTER ROLE berth_api CONNECTION LIMIT -1");
        }
    }
}
