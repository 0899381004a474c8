package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.Rest.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class IdempotencyTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** A run is deleted once its end is noted, every 30 s ({@code history.transferProcessorUpdateAckInterval}). */
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
    @DisplayName("The same order twice is 201, then 200 with the same order, and is one order at the venue")
    void theSameOrderTwice() throws Exception {
        NewOrder order = NewOrder.market("same", "AAPL", "buy", "1");
        Answer first = trader.submit(order, 20);
        assertThat(first.status()).isEqualTo(201);
        Answer second = trader.submit(order, 20);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        // Decimals are compared by value.
        assertThat(trader.submit(NewOrder.market("same", "AAPL", "buy", "1.000"), 20)
                        .status())
                .isEqualTo(200);
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("same")))
                .hasSize(1);
    }

    @Test
    @DisplayName("E6 twenty clients that submit the same order at once agree on one order, sent once")
    void twentyAtOnce() throws Exception {
        NewOrder order = NewOrder.market("crowd", "AAPL", "buy", "1");
        List<Answer> answers = new ArrayList<>();
        CyclicBarrier together = new CyclicBarrier(20);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> asked = new ArrayList<>();
            for (int client = 0; client < 20; client++) {
                asked.add(clients.submit(() -> {
                    together.await();
                    return trader.submit(order, 20);
                }));
            }
            for (Future<Answer> answer : asked) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).extracting(Answer::status).containsOnly(200, 201);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        Answer winner = answers.stream()
                .filter(answer -> answer.status() == 201)
                .findFirst()
                .orElseThrow();
        assertThat(winner.text("status")).isEqualTo("FILLED");
        assertThat(answers).extracting(answer -> answer.text("submittedAt")).containsOnly(winner.text("submittedAt"));
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("crowd")))
                .hasSize(1);
        assertThat(trader.order("crowd")).isEqualTo(winner.body());
    }

    @Test
    @DisplayName("The same id with other content is 409, and the first order stays what it was")
    void otherContent() throws Exception {
        Answer first = trader.submit(NewOrder.market("taken", "AAPL", "buy", "1"), 20);
        Answer other = trader.submit(NewOrder.market("taken", "AAPL", "buy", "2"), 20);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("type")).isEqualTo("urn:berth:problem:duplicate-client-order-id");
        assertThat(other.text("detail")).contains("taken");
        assertThat(trader.order("taken")).isEqualTo(first.body());
    }

    @Test
    @DisplayName("E6 an order that Temporal has forgotten is still known: the same again is 200 and is never sent")
    void afterRetention() throws Exception {
        NewOrder order = NewOrder.market("forgotten", "AAPL", "buy", "1");
        Answer first = trader.submit(order, 20);
        assertThat(first.status()).isEqualTo(201);
        forget("order:twice:forgotten");

        Answer again = trader.submit(order, 20);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(trader.submit(NewOrder.market("forgotten", "AAPL", "buy", "2"), 20)
                        .status())
                .isEqualTo(409);
        assertThat(venue.arrivals(trader).stream()
                        .filter(arrival -> arrival.clientOrderId().equals("forgotten")))
                .hasSize(1);
    }

    /** As Temporal does itself when the retention is over. */
    private void forget(String workflow) throws Exception {
        TemporalCli temporal = new TemporalCli(stack);
        temporal.awaitLast(workflow, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", SOON);
        temporal.workflow("delete", "--yes", "--workflow-id", workflow);
        await().atMost(FORGOTTEN)
                .untilAsserted(() -> assertThatThrownBy(() -> temporal.workflow("describe", "--workflow-id", workflow))
                        .hasMessageContaining("not found"));
    }

    @Test
    @DisplayName("The header Idempotency-Key stands for the client order id; two that differ are refused")
    void theHeaderIsTheId() throws Exception {
        String noId = NewOrder.market("x", "AAPL", "buy", "1").json().replace("\"clientOrderId\":\"x\",", "");
        Answer first = trader.submit(noId, "Idempotency-Key", "by-header", "Prefer", "wait=20");
        assertThat(first.status()).as("%s", first.body()).isEqualTo(201);
        assertThat(first.text("clientOrderId")).isEqualTo("by-header");
        assertThat(trader.submit(noId, "Idempotency-Key", "by-header").status()).isEqualTo(200);
        String withId = NewOrder.market("in-body", "AAPL", "buy", "1").json();
        assertThat(trader.submit(withId, "Idempotency-Key", "in-header").status())
                .isEqualTo(422);
        Answer withNeither = trader.submit(noId, "Prefer", "wait=20");
        assertThat(withNeither.status()).isEqualTo(201);
        assertThat(withNeither.text("clientOrderId")).isNotEmpty();
    }

    @Test
    @DisplayName("The same id of another user is another order")
    void anotherUser() throws Exception {
        Trader other = stack.trader("twice-2");
        NewOrder order = NewOrder.market("shared", "AAPL", "buy", "1");
        Answer mine = trader.submit(order, 20);
        Answer theirs = other.submit(order, 20);
        assertThat(theirs.status()).isEqualTo(201);
        assertThat(theirs.text("venueOrderId")).isNotEqualTo(mine.text("venueOrderId"));
        assertThat(venue.accepted(trader, "shared")).hasSize(1);
        assertThat(venue.accepted(other, "shared")).hasSize(1);
    }
}
