package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.ExplainedOrder;
import dev.berth.acceptance.rest.ExplainedWorker;
import dev.berth.acceptance.rest.ExplainedWorker.LastOrder;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator finds out during an incident. */
@ExtendWith(StackExtension.class)
class IncidentTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stack stack;
    private final FleetOperator operator;

    IncidentTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
    }

    /** A step of an order, or a change of a worker. */
    private record FoundEvent(
            Instant at, String kind, String state, @Nullable String clientOrderId) {}

    private ResultPage<FoundEvent> events(String query) throws Exception {
        JsonResponse answer = operator.get("/events?" + query);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.page(FoundEvent.class);
    }

    private List<String> kinds(String query) throws Exception {
        return kinds(events(query));
    }

    private static List<String> kinds(ResultPage<FoundEvent> events) {
        return events.items().stream().map(FoundEvent::kind).toList();
    }

    @Test
    @Tag("D11")
    @DisplayName("Every step of an order is found by user, order, symbol, kind, text and time, page by page")
    void everyStepIsFound() throws Exception {
        Trader trader = Eventually.trading(stack, "incident-log");
        Instant begin = Instant.now();
        Eventually.filled(trader, "e-1");
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(kinds("user=incident-log&order=e-1"))
                        .containsExactly("completed", "processing", "queued"));
        FoundEvent taken = events("user=incident-log&kind=processing").items().getFirst();
        assertThat(taken.state()).isEqualTo("DISPATCHED");
        assertThat(taken.clientOrderId()).isEqualTo("e-1");
        assertThat(taken.at()).isAfter(begin);
        assertThat(kinds("order=e-1&symbol=MSFT&user=incident-log")).isEmpty();
        assertThat(kinds("user=incident-log&order=e-1&text=FILLED")).containsExactly("completed");
        assertThat(kinds("user=incident-log&order=e-1&to=" + begin)).isEmpty();
        ResultPage<FoundEvent> first = events("user=incident-log&order=e-1&limit=2&from=" + begin);
        ResultPage<FoundEvent> second = events("user=incident-log&order=e-1&limit=2&cursor=" + first.nextCursor());
        assertThat(kinds(second)).containsExactly("queued");
        assertThat(second.nextCursor()).isNull();
        assertThat(trader.get("/v1/fleet/events").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @Tag("D11")
    @DisplayName("Each filter of the search is checked, and the refusal names it")
    @CsvSource({
        "user=No_User, user id",
        "order=a b, id",
        "symbol=, symbol",
        "kind=happy, 'queued, processing, declined'",
        "text=%0A, text",
        "text=, text",
        "from=yesterday, from",
        "to=soon, to",
        "from=2026-03-02T12:00:00Z&to=2026-03-02T12:00:00Z, from",
        "limit=0, limit",
        "limit=501, limit",
        "limit=ten, limit",
        "cursor=x, cursor"
    })
    void invalidFilterIsRefused(String query, String named) throws Exception {
        JsonResponse answer = operator.get("/events?" + query.replace(" ", "%20"));
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:invalid-request");
        assertThat(answer.text("detail")).contains(named);
    }

    @Test
    @Tag("X11")
    @DisplayName("Explain of an order shows where it waits, for which worker, its deadline and the next action")
    void orderIsExplained() throws Exception {
        Trader trader = stack.trader("incident-why");
        operator.tell("/workers/incident-why:suspend", "margin call");
        Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        trader.submit(OrderBody.limit("waits", "MSFT", "buy", "1", "90").json());
        ExplainedOrder waiting = operator.explain("incident-why", "waits");
        assertThat(waiting.status()).isEqualTo("PENDING");
        assertThat(waiting.outlook().where()).endsWith("user-incident-why");
        assertThat(waiting.worker().state()).isEqualTo("SUSPENDED");
        assertThat(waiting.outlook().at()).isEqualTo(waiting.deadline());
        assertThat(waiting.text())
                .contains("is PENDING since", "SUSPENDED, epoch", "margin call", "fails as not-taken, due at");

        operator.tell("/workers/incident-why:resume", "paid");
        Eventually.order(trader, "waits", "NEW", TIMEOUT);
        ExplainedOrder working = operator.explain("incident-why", "waits");
        assertThat(working.outlook().where()).startsWith("at the venue, as ");
        assertThat(working.workerEpoch()).isEqualTo(working.worker().epoch());
        assertThat(operator.get("/explain/incident-why/never").status()).isEqualTo(404);
        assertThat(operator.get("/explain/incident-why/a%20b").status()).isEqualTo(400);
    }

    @Test
    @Tag("X11")
    @DisplayName("After a replacement, explain of the user has the last order of the worker before")
    void lastOrderOfPredecessorIsKnown() throws Exception {
        Trader trader = stack.trader("incident-heir");
        Eventually.filled(trader, "bequest");
        Worker before = trader.worker();
        Processes.signal(before.pid(), "KILL");
        trader.post("/v1/worker");
        Eventually.successor(trader, before, TIMEOUT);
        ExplainedWorker explained = await().atMost(TIMEOUT)
                .until(
                        () -> operator.explain("incident-heir"),
                        answer ->
                                answer.lastOrder() != null && answer.lastOrder().workerEpoch() != null);
        LastOrder last = Objects.requireNonNull(explained.lastOrder());
        assertThat(last.clientOrderId()).isEqualTo("bequest");
        assertThat(last.workerEpoch()).isEqualTo(before.epoch());
        assertThat(explained.worker().epoch()).isGreaterThan(Objects.requireNonNull(last.workerEpoch()));
        assertThat(explained.text()).containsPattern("last order +\\S+: bequest FILLED, worker epoch");
    }
}
