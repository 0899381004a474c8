package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator suspends one user or the fleet. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class SuspensionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The local server's limit; {@code frontend.MaxConcurrentBatchOperationPerNamespace}. */
    private static final int BATCH_OPERATIONS = 10;

    private final Stack stack;
    private final FleetOperator operator;

    SuspensionTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
    }

    @AfterEach
    void resumeAll() throws Exception {
        assertThat(operator.tell("/workers:resume", "the test is over").status())
                .isEqualTo(202);
    }

    private static void submit(Trader trader, String id) throws Exception {
        // Longer than a restart of the stack takes.
        assertThat(trader.submit(OrderBody.market(id, "AAPL", "buy", "1")
                                .within(Duration.ofMinutes(5))
                                .json())
                        .status())
                .isEqualTo(202);
    }

    private void restartApi() throws Exception {
        stack.process("api").kill();
        stack.berth("up");
    }

    @Test
    @Tag("D8")
    @DisplayName("A suspended user has no worker, also after a restart; orders wait until the resume")
    void suspensionSurvivesRestart() throws Exception {
        Trader trader = Eventually.trading(stack, "suspend-one");
        long pid = trader.worker().pid();
        assertThat(operator.tell("/workers/suspend-one:suspend", "margin call").status())
                .isEqualTo(202);
        Worker suspended = Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        assertThat(suspended.reason()).isEqualTo("margin call (olga)");
        assertThat(suspended.next().action()).contains("a resume");
        Eventually.ended(pid, TIMEOUT);
        submit(trader, "waits");
        stack.berth("down");
        stack.berth("up");
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        assertThat(operator.get("/explain/suspend-one")
                        .body()
                        .path("ordersInFlight")
                        .asInt())
                .isEqualTo(1);
        assertThat(trader.worker().state()).isEqualTo("SUSPENDED");
        assertThat(trader.order("waits").status()).isEqualTo("PENDING");
        assertThat(operator.tell("/workers/suspend-one:resume", "margin paid").status())
                .isEqualTo(202);
        Eventually.order(trader, "waits", "FILLED", TIMEOUT);
    }

    @Test
    @Tag("D8")
    @DisplayName("A user without a worker can be suspended before the first order")
    void userWithoutWorkerCanBeSuspended() throws Exception {
        Trader trader = stack.trader("suspend-new");
        assertThat(operator.tell("/workers/suspend-new:suspend", "not yet").status())
                .isEqualTo(202);
        Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        submit(trader, "first");
        assertThat(trader.worker().epoch()).isZero();
        operator.tell("/workers/suspend-new:resume", "now");
        Eventually.order(trader, "first", "FILLED", TIMEOUT);
    }

    @Test
    @Tag("D8")
    @DisplayName("A fleet suspension covers new users and a restart; a resume keeps single suspensions")
    void fleetSuspensionSurvivesRestart() throws Exception {
        Trader one = Eventually.trading(stack, "suspend-all-1");
        Trader two = Eventually.trading(stack, "suspend-all-2");
        Trader later = stack.trader("suspend-all-3");
        operator.tell("/workers/suspend-all-2:suspend", "margin call");
        assertThat(operator.tell("/workers:suspend", "exchange is down").status())
                .isEqualTo(202);
        Worker suspended = Eventually.worker(one, "SUSPENDED", TIMEOUT);
        assertThat(suspended.reason()).contains("exchange is down");
        restartApi();
        submit(one, "waits");
        submit(two, "waits");
        submit(later, "waits");
        Eventually.worker(later, "SUSPENDED", TIMEOUT);
        JsonNode fleet = operator.get("").body();
        assertThat(fleet.path("suspended").asBoolean()).isTrue();
        assertThat(fleet.path("lastSwitch").path("by").asText()).isEqualTo("olga");
        assertThat(fleet.path("lastSwitch").path("now").path("reason").asText()).isEqualTo("exchange is down");
        // A client repeats the command when its answer is lost.
        assertThat(operator.tell("/workers:suspend", "exchange is down").status())
                .isEqualTo(202);
        assertThat(operator.tell("/workers:resume", "it is up").status()).isEqualTo(202);
        Eventually.order(one, "waits", "FILLED", TIMEOUT);
        Eventually.order(later, "waits", "FILLED", TIMEOUT);
        Eventually.worker(two, "SUSPENDED", TIMEOUT);
        operator.tell("/workers/suspend-all-2:resume", "margin paid");
        Eventually.order(two, "waits", "FILLED", TIMEOUT);
    }

    @Test
    @Tag("D8")
    @DisplayName("Switches beyond the server's limit of batch operations are accepted; the last one counts")
    void burstOfSwitchesIsAccepted() throws Exception {
        List<Callable<Integer>> burst = IntStream.range(0, BATCH_OPERATIONS + 5)
                .<Callable<Integer>>mapToObj(number -> () -> operator.tell(
                                number % 2 == 0 ? "/workers:suspend" : "/workers:resume", "a change of mind")
                        .status())
                .toList();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : callers.invokeAll(burst)) {
                assertThat(status.get()).isEqualTo(202);
            }
        }
        assertThat(operator.tell("/workers:resume", "decided").status()).isEqualTo(202);
        Eventually.trading(stack, "suspend-burst");
    }

    @Test
    @Tag("D8")
    @DisplayName("Workers apply a fleet suspension whose signals were lost")
    void unsignaledSuspensionIsAppliedLater() throws Exception {
        Trader trader = Eventually.trading(stack, "suspend-untold");
        store("*");
        Eventually.worker(trader, "SUSPENDED", TIMEOUT);
    }

    @Test
    @Tag("X33")
    @DisplayName("A user's suspension that was stored by a process that ended holds orders and is signalled later")
    void unsignaledUserSuspensionIsAppliedLater() throws Exception {
        Trader trader = Eventually.trading(stack, "suspend-unsaid");
        store(trader.user());
        // Signalled no earlier than after 10 s.
        await().atMost(Duration.ofSeconds(8))
                .until(() -> RedisKeyspace.of(stack).hash("holds").containsKey(trader.user()));
        submit(trader, "waits");
        Worker suspended = Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        assertThat(suspended.reason()).isEqualTo("exchange is down (olga)");
        assertThat(operator.get("/explain/" + trader.user()).text("text"))
                .contains("suspended, this user since")
                .contains("exchange is down (olga)");
        assertThat(trader.order("waits").status()).isEqualTo("PENDING");
        operator.tell("/workers/" + trader.user() + ":resume", "it is up");
        Eventually.order(trader, "waits", "FILLED", TIMEOUT);
    }

    /** Stores a suspension as a process does that ends right after. */
    private void store(String name) throws Exception {
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement()) {
            postgres.setAutoCommit(false);
            statement.execute("UPDATE risk_version SET version = version + 1");
            statement.execute("UPDATE suspensions SET superseded = (SELECT version FROM risk_version)"
                    + " WHERE superseded IS NULL AND name = '" + name + "'");
            statement.execute("INSERT INTO suspensions (version, name, suspended, reason, changed_by, changed_at)"
                    + " SELECT version, '" + name + "', true, 'exchange is down', 'olga', now() FROM risk_version");
            postgres.commit();
        }
    }
}
