package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.ExplainedWorker;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetSummary;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The REST API for operators. */
@ExtendWith(StackExtension.class)
class FleetTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Stack stack;
    private final FleetOperator operator;

    FleetTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
    }

    private Trader traderWithRestingOrder(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.submit(OrderBody.limit("rests", "MSFT", "buy", "1", "90"), 60)
                        .text("status"))
                .isEqualTo("NEW");
        return trader;
    }

    @ParameterizedTest
    @DisplayName("A token without the scope fleet is refused")
    @CsvSource({
        "GET, ''",
        "GET, /workers",
        "GET, /workers/fleet-plain",
        "GET, /explain/fleet-plain",
        "POST, /workers:suspend",
        "POST, /workers:resume",
        "POST, /workers/fleet-plain:suspend",
        "POST, /workers/fleet-plain:resume",
        "POST, /workers/fleet-plain:stop",
        "POST, /workers/fleet-plain:reload-credentials"
    })
    void fleetScopeIsRequired(String method, String path) throws Exception {
        Trader trader = stack.trader("fleet-plain");
        String body = method.equals("POST") ? "{\"reason\":\"mine\"}" : null;
        JsonResponse answer = trader.api().call(method, "/v1/fleet" + path, body, "Authorization", trader.bearer());
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:forbidden");
        assertThat(answer.text("detail")).contains("fleet");
        assertThat(trader.api().call(method, "/v1/fleet" + path, body).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @DisplayName("An invalid request is refused with the field and the remedy")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "GET, /workers?limit=0, ``, limit",
                "GET, /workers?limit=1001, ``, limit",
                "GET, /workers?cursor=nonsense, ``, cursor",
                "GET, /workers?cursor=!!, ``, cursor",
                "GET, /workers?state=PROCESSING, ``, ACTIVE",
                "GET, /workers?state=happy, ``, state",
                "GET, /workers/No_User, ``, user id",
                "GET, /explain/-1, ``, user id",
                "POST, /workers/fleet-odd:suspend, {}, reason",
                "POST, /workers/fleet-odd:stop, `{\"reason\":\" \"}`, reason",
                "POST, /workers:suspend, {}, reason",
                "POST, /workers/No_User:suspend, `{\"reason\":\"x\"}`, user id"
            })
    void invalidRequestNamesTheProblem(String method, String path, String body, String named) throws Exception {
        JsonResponse answer = method.equals("GET") ? operator.get(path) : operator.post(path, body);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:invalid-request");
        assertThat(answer.text("detail")).contains(named);
    }

    @Test
    @Tag("D2")
    @Tag("D10")
    @DisplayName("Workers are listed by state, page by page, and each is shown in full")
    void workersAreListedByState() throws Exception {
        List<String> users = List.of("fleet-a", "fleet-b", "fleet-c");
        for (String user : users) {
            traderWithRestingOrder(user);
        }
        await().atMost(TIMEOUT).until(() -> listed("ACTIVE").containsAll(users));
        assertThat(listed("ACTIVE")).doesNotHaveDuplicates();
        assertThat(listed("FAILED")).doesNotContainAnyElementsOf(users);
        Worker row = row("fleet-a");
        assertThat(row.queue()).isEqualTo("user-fleet-a");
        assertThat(row.launchedAt()).isBefore(Instant.now());
        assertThat(row.version()).isNotBlank();
        assertThat(row.currentOrder()).isNull();
        Worker worker = operator.worker("fleet-a");
        assertThat(worker)
                .extracting(Worker::epoch, Worker::queue, Worker::launchedAt, Worker::version)
                .containsExactly(row.epoch(), row.queue(), row.launchedAt(), row.version());
        assertThat(worker.state()).isEqualTo("ACTIVE");
        assertThat(worker.sessions().getFirst()).isEqualTo("alpaca/equity/paper/paper");
        // One renewal may be late.
        await().untilAsserted(() ->
                assertThat(operator.worker("fleet-a").heartbeatAgeMillis()).isBetween(0L, 10_000L));
        assertThat(Processes.lives(worker.pid())).isTrue();
        FleetSummary fleet = operator.fleet();
        assertThat(fleet.workers().get("ACTIVE")).isGreaterThanOrEqualTo(3);
        assertThat(fleet.openOrders()).isGreaterThanOrEqualTo(3);
    }

    private Worker row(String user) throws Exception {
        return operator.get("/workers?limit=1000").page(Worker.class).items().stream()
                .filter(row -> user.equals(row.userId()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(user + " is not listed"));
    }

    /** Reads pages of two. */
    private List<String> listed(String state) throws Exception {
        List<String> users = new ArrayList<>();
        String cursor = "";
        do {
            ResultPage<Worker> page =
                    operator.get("/workers?limit=2&state=" + state + cursor).page(Worker.class);
            page.items().forEach(row -> users.add(row.userId()));
            cursor = page.nextCursor() == null ? "" : "&cursor=" + page.nextCursor();
        } while (!cursor.isEmpty());
        return users;
    }

    @Test
    @Tag("X11")
    @DisplayName("Explain shows state, reason, heartbeat, orders, last decision and next step")
    void explainShowsStateAndNextStep() throws Exception {
        traderWithRestingOrder("fleet-why");
        // The workflow and the visibility index follow the venue by a moment.
        ExplainedWorker explanation = await().atMost(TIMEOUT)
                .until(
                        () -> operator.explain("fleet-why"),
                        answer -> answer.orders().size() == 1
                                && answer.orders().getFirst().status().equals("NEW")
                                && answer.worker().isIn("ACTIVE"));
        assertThat(explanation.orders().getFirst().clientOrderId()).isEqualTo("rests");
        assertThat(explanation.lastDecision()).isNotBlank();
        assertThat(explanation.worker().next().action()).contains("idle");
        assertThat(explanation.text())
                .contains(
                        "fleet-why is ACTIVE", "heartbeat", "orders in flight   1: rests NEW", "last decision", "next");
        assertThat(operator.get("/explain/fleet-unknown").text("text")).contains("never had a worker");
    }

    @Test
    @Tag("D2")
    @DisplayName("A worker with an order in hand is PROCESSING and names that order")
    void workerWithOrderIsProcessing() throws Exception {
        Trader trader = Eventually.trading(stack, "fleet-busy");
        Venue venue = Venue.of(stack);
        venue.hold();
        try {
            trader.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
            // The answer of the order before comes while a worker still has it in hand.
            Worker busy = await().atMost(TIMEOUT)
                    .until(trader::worker, worker -> worker.isIn("PROCESSING") && "hand".equals(worker.currentOrder()));
            assertThat(row("fleet-busy").currentOrder()).isEqualTo("hand");
            assertThat(busy.requestsUsed()).isPositive();
            assertThat(operator.get("/explain/fleet-busy").text("text")).containsPattern("order in hand +hand");
        } finally {
            venue.reset();
        }
        Eventually.order(trader, "hand", "FILLED", TIMEOUT);
        Worker idle = Eventually.worker(trader, "ACTIVE", TIMEOUT);
        assertThat(idle.currentOrder()).isNull();
        assertThat(idle.lastOrderAt()).isBefore(Instant.now());
    }

    @Test
    @Tag("A8")
    @DisplayName("A credential reload keeps the worker's process, and a stop ends it")
    void reloadKeepsProcessAndStopEndsIt() throws Exception {
        Trader trader = stack.trader("fleet-stop");
        Eventually.filled(trader, "before");
        Worker before = trader.worker();
        assertThat(operator.tell("/workers/fleet-stop:reload-credentials", "rotated")
                        .status())
                .isEqualTo(202);
        assertThat(operator.post("/workers/fleet-stop:reload-credentials", null).status())
                .as("without a reason")
                .isEqualTo(202);
        Eventually.filled(trader, "after");
        assertThat(trader.worker().pid()).isEqualTo(before.pid());
        assertThat(operator.tell("/workers/fleet-stop:stop", "maintenance").status())
                .isEqualTo(202);
        Worker stopped = Eventually.worker(trader, "TERMINATED", TIMEOUT);
        assertThat(stopped.reason()).isEqualTo("maintenance (olga)");
        Eventually.ended(before.pid(), TIMEOUT);
    }

    @Test
    @DisplayName("A command for a user without a worker does nothing and starts none")
    void commandsWithoutWorkerDoNothing() throws Exception {
        for (String command : List.of("stop", "resume", "reload-credentials")) {
            JsonResponse answer = operator.tell("/workers/fleet-none:" + command, "to see");
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("state")).isEqualTo("TERMINATED");
        }
        assertThat(new TemporalCli(stack).ids("BerthUserId = 'fleet-none'")).isEmpty();
    }
}
