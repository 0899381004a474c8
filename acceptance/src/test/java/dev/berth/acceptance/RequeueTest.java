package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An order that failed by a mistake gets another chance, if it is safe. */
@ExtendWith(OnTheStack.class)
class RequeueTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String ORDER = "requeue-alice:thrown-out";

    private final Venue venue;
    private final Operator operator;
    private final TemporalCli temporal;
    private final Trader trader;

    RequeueTest(Stack stack) throws Exception {
        this.venue = Venue.of(stack);
        this.operator = Operator.of(stack);
        this.temporal = new TemporalCli(stack);
        this.trader = stack.trader("requeue-alice");
    }

    @AfterEach
    void switchOff() throws Exception {
        venue.reset();
        operator.killSwitch("user:requeue-alice", false);
    }

    private JsonNode requeue(String what, boolean dryRun) throws Exception {
        Rest.Answer answer = operator.post(
                "/attention:requeue",
                "{%s,\"dryRun\":%s,\"reason\":\"the switch was a mistake\"}".formatted(what, dryRun));
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String attended() throws Exception {
        return operator.get("/attention?userId=requeue-alice").raw().body();
    }

    @Test
    @DisplayName(
            "X15 D7 an order that the kill switch threw out is requeued after a dry run, with who and why, and sent once;"
                    + " one that was answered is refused")
    void requeued() throws Exception {
        assertThat(trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 60)
                        .text("status"))
                .isEqualTo("FILLED");
        venue.hold();
        trader.submit(NewOrder.market("in-hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        trader.submit(NewOrder.market("thrown-out", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(10))
                .json());
        operator.killSwitch("user:requeue-alice", true);
        // The worker heeds the switch within a second; only then has it its hand free.
        Instant heeded = Instant.now().plusSeconds(1);
        await().until(() -> Instant.now().isAfter(heeded));
        venue.reset();
        JsonNode failed = Eventually.order(trader, "thrown-out", "FAILED", SOON);
        assertThat(failed.path("reason").asText()).startsWith("risk: kill-switch: ");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(attended()).contains("thrown-out").doesNotContain("in-hand"));
        operator.killSwitch("user:requeue-alice", false);
        temporal.awaitLast("order:" + ORDER, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", SOON);

        assertThat(requeue("\"ids\":[\"" + ORDER + "\"]", true).toString()).contains("wouldRequeue");
        assertThat(trader.order("thrown-out").path("status").asText()).isEqualTo("FAILED");
        assertThat(requeue("\"ids\":[\"" + ORDER + "\",\"requeue-alice:in-hand\"]", false)
                        .toString())
                .contains("requeued")
                .contains("refused");
        JsonNode filled = Eventually.order(trader, "thrown-out", "FILLED", SOON);
        assertThat(filled.path("filledQuantity").asText()).isEqualTo("1");
        assertThat(venue.accepted(trader, "thrown-out")).hasSize(1);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                trader.get("/v1/orders/thrown-out/events").raw().body())
                        .contains("Requeued by olga")
                        .contains("the switch was a mistake"));
        await().atMost(SOON).untilAsserted(() -> assertThat(attended()).doesNotContain("thrown-out"));
        assertThat(requeue("\"ids\":[\"" + ORDER + "\"]", false).toString()).contains("refused");
    }
}
