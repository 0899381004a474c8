package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class IdempotencyTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /**
     * Temporal deletes a run up to 30 s after its end ({@code
     * history.transferProcessorUpdateAckInterval}).
     */
    private static final Duration FORGOTTEN = Duration.ofMinutes(2);

    private final Stack stack;
    private final Venue venue;
    private final Trader trader;

    IdempotencyTest(Stack stack) throws Exception {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.trader = stack.trader("twice");
    }

    @Test
    @DisplayName("An equal second submit is 200 with the same order, which is sent once")
    void equalSubmitReturnsSameOrder() throws Exception {
        OrderBody order = OrderBody.market("same", "AAPL", "buy", "1");
        JsonResponse first = trader.submit(order, 60);
        assertThat(first.status()).isEqualTo(201);
        JsonResponse second = trader.submit(order, 60);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        // Decimals compare by value.
        assertThat(trader.submit(OrderBody.market("same", "AAPL", "buy", "1.000"), 60)
                        .status())
                .isEqualTo(200);
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("same")))
                .hasSize(1);
    }

    @Test
    @Tag("E6")
    @DisplayName("Twenty concurrent equal submits make one order, sent once")
    void concurrentEqualSubmitsMakeOneOrder() throws Exception {
        OrderBody order = OrderBody.market("crowd", "AAPL", "buy", "1");
        List<JsonResponse> answers = new ArrayList<>();
        CyclicBarrier barrier = new CyclicBarrier(20);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonResponse>> asked = new ArrayList<>();
            for (int client = 0; client < 20; client++) {
                asked.add(clients.submit(() -> {
                    barrier.await();
                    return trader.submit(order, 60);
                }));
            }
            for (Future<JsonResponse> answer : asked) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).extracting(JsonResponse::status).containsOnly(200, 201);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        JsonResponse winner = answers.stream()
                .filter(answer -> answer.status() == 201)
                .findFirst()
                .orElseThrow();
        assertThat(winner.text("status")).isEqualTo("FILLED");
        assertThat(answers).extracting(answer -> answer.text("submittedAt")).containsOnly(winner.text("submittedAt"));
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("crowd")))
                .hasSize(1);
        assertThat(trader.get("/v1/orders/crowd").body()).isEqualTo(winner.body());
    }

    @Test
    @DisplayName("A used id with other content is 409, and the first order does not change")
    void sameIdWithOtherContentIs409() throws Exception {
        JsonResponse first = trader.submit(OrderBody.market("taken", "AAPL", "buy", "1"), 60);
        JsonResponse other = trader.submit(OrderBody.market("taken", "AAPL", "buy", "2"), 60);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("type")).isEqualTo("urn:berth:problem:duplicate-client-order-id");
        assertThat(other.text("detail")).contains("taken");
        assertThat(trader.get("/v1/orders/taken").body()).isEqualTo(first.body());
    }

    @Test
    @Tag("E6")
    @DisplayName("An equal submit after Temporal's retention is 200 and is not sent")
    void idStaysUsedAfterRetention() throws Exception {
        OrderBody order = OrderBody.market("forgotten", "AAPL", "buy", "1");
        JsonResponse first = trader.submit(order, 60);
        assertThat(first.status()).isEqualTo(201);
        forget("order:twice:forgotten");

        JsonResponse again = trader.submit(order, 60);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(trader.submit(OrderBody.market("forgotten", "AAPL", "buy", "2"), 60)
                        .status())
                .isEqualTo(409);
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("forgotten")))
                .hasSize(1);
    }

    /** Deletes the run as Temporal does after the retention. */
    private void forget(String workflow) throws Exception {
        TemporalCli temporal = new TemporalCli(stack);
        temporal.awaitLast(workflow, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", TIMEOUT);
        temporal.workflow("delete", "--yes", "--workflow-id", workflow);
        await().atMost(FORGOTTEN)
                .untilAsserted(() -> assertThatThrownBy(() -> temporal.workflow("describe", "--workflow-id", workflow))
                        .hasMessageContaining("not found"));
    }

    @Test
    @DisplayName("The header Idempotency-Key names the order; a conflicting id in the body is refused")
    void idempotencyKeyIsOrderId() throws Exception {
        String noId = OrderBody.market("x", "AAPL", "buy", "1").json().replace("\"clientOrderId\":\"x\",", "");
        JsonResponse first = trader.submit(noId, "Idempotency-Key", "by-header", "Prefer", "wait=20");
        assertThat(first.status()).as("%s", first.body()).isEqualTo(201);
        assertThat(first.text("clientOrderId")).isEqualTo("by-header");
        assertThat(trader.submit(noId, "Idempotency-Key", "by-header").status()).isEqualTo(200);
        String withId = OrderBody.market("in-body", "AAPL", "buy", "1").json();
        assertThat(trader.submit(withId, "Idempotency-Key", "in-header").status())
                .isEqualTo(422);
        JsonResponse withNeither = trader.submit(noId, "Prefer", "wait=20");
        assertThat(withNeither.status()).isEqualTo(201);
        assertThat(withNeither.text("clientOrderId")).isNotEmpty();
    }

    @Test
    @DisplayName("An id of another user names another order")
    void idsAreUniquePerUser() throws Exception {
        Trader other = stack.trader("twice-2");
        OrderBody order = OrderBody.market("shared", "AAPL", "buy", "1");
        JsonResponse mine = trader.submit(order, 60);
        JsonResponse theirs = other.submit(order, 60);
        assertThat(theirs.status()).isEqualTo(201);
        assertThat(theirs.text("venueOrderId")).isNotEqualTo(mine.text("venueOrderId"));
        assertThat(venue.accepted(trader, "shared")).hasSize(1);
        assertThat(venue.accepted(other, "shared")).hasSize(1);
    }
}
