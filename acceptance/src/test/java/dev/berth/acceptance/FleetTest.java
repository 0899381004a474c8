package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fleet over REST. */
@ExtendWith(OnTheStack.class)
class FleetTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Stack stack;
    private final Operator operator;

    FleetTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = Operator.of(stack);
    }

    private Trader resting(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.submit(NewOrder.limit("rests", "MSFT", "buy", "1", "90"), 20)
                        .text("status"))
                .isEqualTo("NEW");
        return trader;
    }

    @ParameterizedTest
    @DisplayName("Whoever lacks the scope fleet sees and does nothing of it")
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
    void onlyForOperators(String method, String path) throws Exception {
        Trader trader = stack.trader("fleet-plain");
        String body = method.equals("POST") ? "{\"reason\":\"mine\"}" : null;
        Answer answer = trader.api().call(method, "/v1/fleet" + path, body, "Authorization", trader.bearer());
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:forbidden");
        assertThat(answer.text("detail")).contains("fleet");
        assertThat(trader.api().call(method, "/v1/fleet" + path, body).status()).isEqualTo(401);
    }

    @ParameterizedTest
    @DisplayName("What can not be understood is refused with what to do")
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
    void whatCanNotBeUnderstood(String method, String path, String body, String named) throws Exception {
        Answer answer = method.equals("GET") ? operator.get(path) : operator.post(path, body);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:invalid-request");
        assertThat(answer.text("detail")).contains(named);
    }

    @Test
    @DisplayName("D2 D10 every worker is listed by state, page by page, and each one is shown in full")
    void listedPageByPage() throws Exception {
        List<String> users = List.of("fleet-a", "fleet-b", "fleet-c");
        for (String user : users) {
            resting(user);
        }
        await().atMost(SOON).until(() -> listed("ACTIVE").containsAll(users));
        assertThat(listed("ACTIVE")).doesNotHaveDuplicates();
        assertThat(listed("FAILED")).doesNotContainAnyElementsOf(users);
        JsonNode worker = operator.worker("fleet-a");
        assertThat(worker).isNotEmpty();
        assertThat(worker.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(worker.path("sessions").path(0).asText()).isEqualTo("alpaca/equity/paper/paper");
        assertThat(worker.path("heartbeatAgeMillis").asLong()).isBetween(0L, 10_000L);
        assertThat(Processes.lives(worker.path("pid").asLong())).isTrue();
        JsonNode fleet = operator.get("").body();
        assertThat(fleet.path("workers").path("ACTIVE").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(fleet.path("openOrders").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(operator.text("/workers?state=ACTIVE&limit=1000")).contains("fleet-a ", "fleet-b ");
    }

    /** Two at a time. */
    private List<String> listed(String state) throws Exception {
        List<String> users = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    operator.get("/workers?limit=2&state=" + state + cursor).body();
            page.path("workers").forEach(row -> users.add(row.path("userId").asText()));
            cursor = page.path("nextCursor").isTextual()
                    ? "&cursor=" + page.path("nextCursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        return users;
    }

    @Test
    @DisplayName(
            "X11 explain says state, reason, heartbeat, orders in flight, last decision and what comes next, in plain words too")
    void explained() throws Exception {
        resting("fleet-why");
        // It rests at the venue a moment before its workflow, and after that the index, has heard so.
        await().atMost(SOON)
                .until(() -> operator.get("/explain/fleet-why")
                        .body()
                        .path("orders")
                        .findValuesAsText("status")
                        .equals(List.of("NEW")));
        JsonNode why = operator.get("/explain/fleet-why").body();
        assertThat(why.path("worker").path("state").asText()).isEqualTo("ACTIVE");
        assertThat(why.path("orders").path(0).path("clientOrderId").asText()).isEqualTo("rests");
        assertThat(why.path("lastDecision").asText()).isNotBlank();
        assertThat(why.path("worker").path("next").path("action").asText()).contains("idle");
        assertThat(operator.text("/explain/fleet-why"))
                .contains(
                        "fleet-why is ACTIVE", "heartbeat", "orders in flight   1: rests NEW", "last decision", "next");
        assertThat(operator.text("/explain/fleet-nobody")).contains("never had a worker");
    }

    @Test
    @DisplayName(
            "D2 a worker with an order in hand shows as PROCESSING, with that order; after it as ACTIVE, with the time of its last")
    void processing() throws Exception {
        Trader trader = stack.trader("fleet-busy");
        trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 20);
        Venue venue = Venue.of(stack);
        venue.hold();
        try {
            trader.submit(NewOrder.market("hand", "AAPL", "buy", "1").json());
            JsonNode busy = Eventually.worker(trader, "PROCESSING", SOON);
            assertThat(busy.path("currentOrder").asText()).isEqualTo("hand");
            assertThat(operator.text("/explain/fleet-busy")).containsPattern("order in hand +hand");
        } finally {
            venue.reset();
        }
        Eventually.order(trader, "hand", "FILLED", SOON);
        JsonNode idle = Eventually.worker(trader, "ACTIVE", SOON);
        assertThat(idle.path("currentOrder").isNull()).isTrue();
        assertThat(Instant.parse(idle.path("lastOrderAt").asText())).isBefore(Instant.now());
    }

    @Test
    @DisplayName(
            "A8 an operator has a worker reload its credentials, which keeps the process, and stops it, which ends the process")
    void reloadedAndStopped() throws Exception {
        Trader trader = stack.trader("fleet-stop");
        trader.submit(NewOrder.market("before", "AAPL", "buy", "1"), 20);
        JsonNode before = trader.worker();
        assertThat(operator.tell("/workers/fleet-stop:reload-credentials", "rotated")
                        .status())
                .isEqualTo(202);
        assertThat(operator.post("/workers/fleet-stop:reload-credentials", null).status())
                .as("without a reason")
                .isEqualTo(202);
        assertThat(trader.submit(NewOrder.market("after", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(trader.worker().path("pid")).isEqualTo(before.path("pid"));
        assertThat(operator.tell("/workers/fleet-stop:stop", "moving house").status())
                .isEqualTo(202);
        JsonNode stopped = Eventually.worker(trader, "TERMINATED", SOON);
        assertThat(stopped.path("reason").asText()).isEqualTo("moving house (olga)");
        Eventually.ended(before.path("pid").asLong(), SOON);
    }

    @Test
    @DisplayName("What is asked of a user without a worker does nothing, and starts none")
    void nothingToStop() throws Exception {
        for (String command : List.of("stop", "resume", "reload-credentials")) {
            Answer answer = operator.tell("/workers/fleet-none:" + command, "to see");
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("state")).isEqualTo("TERMINATED");
        }
        assertThat(new TemporalCli(stack).ids("BerthUserId = 'fleet-none'")).isEmpty();
    }
}
