package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requeues a failed order when a second submission is safe. */
@ExtendWith(StackExtension.class)
class RequeueTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String ORDER = "requeue-alice:stopped";

    private final Venue venue;
    private final FleetOperator operator;
    private final TemporalCli temporal;
    private final Trader trader;

    RequeueTest(Stack stack) throws Exception {
        this.venue = Venue.of(stack);
        this.operator = FleetOperator.of(stack);
        this.temporal = new TemporalCli(stack);
        this.trader = stack.trader("requeue-alice");
    }

    @AfterEach
    void switchOff() throws Exception {
        venue.reset();
        operator.killSwitch("user:requeue-alice", false);
    }

    private JsonNode requeue(String what, boolean dryRun) throws Exception {
        RestClient.JsonResponse answer = operator.post(
                "/attention:requeue",
                "{%s,\"dryRun\":%s,\"reason\":\"the switch was a mistake\"}".formatted(what, dryRun));
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String attentionList() throws Exception {
        return operator.get("/attention?userId=requeue-alice").raw().body();
    }

    @Test
    @Tag("X15")
    @Tag("D7")
    @DisplayName("A failed order is requeued after a dry run and sent once; an answered one is refused")
    void failedOrderIsRequeuedOnce() throws Exception {
        Eventually.filled(trader, "warm");
        venue.hold(trader, "in-hand");
        trader.submit(OrderBody.market("stopped", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(10))
                .json());
        operator.killSwitch("user:requeue-alice", true);
        // The gate applies the switch within a second; then the held order may be answered.
        Instant applied = Instant.now().plusSeconds(1);
        await().until(() -> Instant.now().isAfter(applied));
        venue.reset();
        PlacedOrder failed = Eventually.order(trader, "stopped", "FAILED", TIMEOUT);
        assertThat(failed.reason()).startsWith("risk: kill-switch: ");
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(attentionList()).contains("stopped").doesNotContain("in-hand"));
        operator.killSwitch("user:requeue-alice", false);
        temporal.awaitLast("order:" + ORDER, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", TIMEOUT);

        assertThat(requeue("\"ids\":[\"" + ORDER + "\"]", true).toString()).contains("wouldRequeue");
        assertThat(trader.order("stopped").status()).isEqualTo("FAILED");
        assertThat(requeue("\"ids\":[\"" + ORDER + "\",\"requeue-alice:in-hand\"]", false)
                        .toString())
                .contains("requeued")
                .contains("refused");
        PlacedOrder filled = Eventually.order(trader, "stopped", "FILLED", TIMEOUT);
        assertThat(filled.filledQuantity()).isEqualTo("1");
        assertThat(venue.accepted(trader, "stopped")).hasSize(1);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(
                                trader.get("/v1/orders/stopped/events").raw().body())
                        .contains("Requeued by olga")
                        .contains("the switch was a mistake"));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(attentionList()).doesNotContain("stopped"));
        assertThat(requeue("\"ids\":[\"" + ORDER + "\"]", false).toString()).contains("refused");
    }
}
