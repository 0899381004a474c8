package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks what {@code temporal workflow} shows to an operator. */
@ExtendWith(StackExtension.class)
class TemporalVisibilityTest {
    /** Visibility is eventually consistent. */
    private static final Duration VISIBLE = Duration.ofSeconds(20);
    /** The orchestrator checks the pool each minute. */
    private static final Duration POOL_RESTARTED = Duration.ofSeconds(90);

    private final TemporalCli temporal;
    private final RedisKeyspace redis;
    private final Trader trader;

    TemporalVisibilityTest(Stack stack) throws Exception {
        this.temporal = new TemporalCli(stack);
        this.redis = RedisKeyspace.of(stack);
        this.trader = stack.trader("story");
    }

    @Test
    @Tag("A3")
    @DisplayName("A canceled pool workflow is started again and fills the pool")
    void canceledPoolIsRestarted() throws Exception {
        String canceled = temporal.runOf("pool");
        temporal.workflow("cancel", "--workflow-id", "pool");
        await().atMost(POOL_RESTARTED).until(() -> !temporal.runOf("pool").equals(canceled));
        Eventually.fullPool(redis);
    }

    @Test
    @Tag("A2")
    @Tag("A9")
    @DisplayName("A worker is found by its state and the time of its last change")
    void workerIsFoundByStateAndTime() throws Exception {
        buy("found");
        Instant since = Instant.parse(
                Eventually.activeWorker(trader, 1, VISIBLE).path("since").asText());
        String active = "BerthUserId = 'story' AND BerthWorkerState = 'ACTIVE' AND BerthWorkerStateSince >= ";
        await().atMost(VISIBLE)
                .until(() -> temporal.ids(active + "'" + since.minusSeconds(1) + "'"), List.of("worker:story")::equals);
        assertThat(temporal.ids(active + "'" + since.plusSeconds(1) + "'")).isEmpty();
    }

    @Test
    @DisplayName("An order's workflow uses the eager start")
    void orderStartIsEager() throws Exception {
        buy("eager");
        List<JsonNode> history = temporal.history("order:story:eager");
        JsonNode started = history.getFirst().path("workflowExecutionStartedEventAttributes");
        assertThat(started.path("eagerExecutionAccepted").asBoolean())
                .as("the server granted an eager start")
                .isTrue();
        // An accepted eager start that no process uses times out after 3 s.
        assertThat(history.get(2).path("eventType").asText()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_STARTED");
        assertThat(history.get(2).path("workflowTaskStartedEventAttributes").path("identity"))
                .isEqualTo(started.path("identity"));
        assertThat(history.get(3).path("eventType").asText()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_COMPLETED");
    }

    @Test
    @Tag("D11")
    @DisplayName("A market order's history has at most 20 events, a summary and search attributes")
    void orderHistoryIsShortAndSearchable() throws Exception {
        // The first order may wait for the worker and ask for it, which adds events.
        buy("first");
        int shortest = Integer.MAX_VALUE;
        // On a busy machine an order may add a look-up, so the shortest history counts.
        for (String id : List.of("story", "story-2", "story-3")) {
            buy(id);
            shortest = Math.min(shortest, temporal.history("order:story:" + id).size());
        }
        assertThat(shortest).isLessThanOrEqualTo(20);
        List<JsonNode> history = temporal.history("order:story:story");
        assertThat(history.get(4)
                        .path("activityTaskScheduledEventAttributes")
                        .path("activityType")
                        .path("name")
                        .asText())
                .isEqualTo("submitOrder");
        JsonNode described = temporal.workflow("describe", "--workflow-id", "order:story:story");
        assertThat(described
                        .path("executionConfig")
                        .path("userMetadata")
                        .path("summary")
                        .asText())
                .isEqualTo("order story of story");
        JsonNode execution = described.path("workflowExecutionInfo");
        assertThat(execution.path("memo").path("fields").path("requestHash").asText())
                .hasSizeGreaterThanOrEqualTo(32);
        JsonNode attributes = execution.path("searchAttributes").path("indexedFields");
        assertThat(attribute(attributes, "BerthUserId")).isEqualTo("\"story\"");
        assertThat(attributes.fieldNames()).toIterable().doesNotContain("BerthSymbol", "BerthBroker");
        assertThat(attribute(attributes, "BerthOrderStatus")).isEqualTo("\"FILLED\"");
        String mine = "BerthUserId = 'story' AND BerthOrderStatus = 'FILLED'";
        await().atMost(VISIBLE)
                .untilAsserted(() -> assertThat(temporal.ids(mine)).contains("order:story:story"));
    }

    @Test
    @DisplayName("A worker's lifecycle and the pool are found by search attribute and workflow id")
    void workerAndPoolAreFoundById() throws Exception {
        buy("worker");
        String mine = "BerthUserId = 'story' AND BerthWorkerState = 'ACTIVE'";
        await().atMost(VISIBLE)
                .untilAsserted(() -> assertThat(temporal.ids(mine)).containsExactly("worker:story"));
        JsonNode pool = temporal.workflow("describe", "--workflow-id", "pool").path("workflowExecutionInfo");
        assertThat(pool.path("status").asText()).contains("RUNNING");
    }

    @Test
    @Tag("A2")
    @DisplayName("GET /v1/worker and the details in the Web UI show the same worker")
    void workerDetailsMatchApi() throws Exception {
        Instant before = Instant.now();
        buy("known");
        // The metadata follows the order.
        await().atMost(VISIBLE)
                .until(() -> trader.worker().path("lastOrderAt").asText().startsWith("2")
                        && !Instant.parse(trader.worker().path("lastOrderAt").asText())
                                .isBefore(before));
        JsonNode worker = Eventually.activeWorker(trader, 1, VISIBLE);
        assertThat(Processes.ofTask(EcsApi.idOf(worker)))
                .isEqualTo(worker.path("pid").asLong());
        assertThat(worker.path("host").asText())
                .isEqualTo(redis.hash("worker:metadata:story").get("host"));
        assertThat(worker.path("heartbeatAgeMillis").asLong()).isBetween(0L, 15_000L);
        Instant lastOrder = Instant.parse(worker.path("lastOrderAt").asText());
        assertThat(lastOrder).isBetween(before, Instant.now());
        assertThat(worker.path("sessions")).extracting(JsonNode::asText).containsExactly("alpaca/equity/paper/paper");
        assertThat(Instant.parse(worker.path("since").asText()))
                .isAfterOrEqualTo(Instant.parse(worker.path("requestedAt").asText()));
        assertThat(worker.path("next").path("action").asText()).startsWith("stops as idle, unless an order comes");
        assertThat(Instant.parse(worker.path("next").path("at").asText()))
                .isEqualTo(lastOrder.plus(Duration.ofMinutes(30)));

        String details = temporal.details("worker:story");
        assertThat(details)
                .startsWith("**ACTIVE** since " + worker.path("since").asText() + ", epoch "
                        + worker.path("epoch").asText())
                .contains(
                        "Process " + worker.path("pid").asText() + " on "
                                + worker.path("host").asText(),
                        worker.path("taskArn").asText(),
                        "Sessions: 1.",
                        "(/namespaces/berth/task-queues/user-story-control)",
                        "Next: ",
                        "Wanted: yes");
        Matcher orders = Pattern.compile("\\(/namespaces/berth/workflows\\?query=([^)]+)\\)")
                .matcher(details);
        assertThat(orders.find()).as(details).isTrue();
        String query = URLDecoder.decode(orders.group(1), StandardCharsets.UTF_8);
        await().atMost(VISIBLE)
                .untilAsserted(() -> assertThat(temporal.ids(query)).first().isEqualTo("order:story:known"));
    }

    private void buy(String id) throws Exception {
        var answer = trader.submit(OrderBody.market(id, "AAPL", "buy", "1"), 60);
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("FILLED");
        temporal.awaitLast("order:story:" + id, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", VISIBLE);
    }

    private static String attribute(JsonNode attributes, String name) {
        return TemporalCli.decoded(attributes.path(name).path("data").asText());
    }
}
