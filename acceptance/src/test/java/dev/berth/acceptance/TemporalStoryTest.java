package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator finds out with {@code temporal workflow} alone. */
@ExtendWith(OnTheStack.class)
class TemporalStoryTest {
    /** Visibility is a moment behind. */
    private static final Duration VISIBLE = Duration.ofSeconds(20);
    /** An orchestrator looks each minute. */
    private static final Duration POOL_IS_BACK = Duration.ofSeconds(90);

    private final TemporalCli temporal;
    private final RedisKeyspace keys;
    private final Trader trader;

    TemporalStoryTest(Stack stack) throws Exception {
        this.temporal = new TemporalCli(stack);
        this.keys = RedisKeyspace.of(stack);
        this.trader = stack.trader("story");
    }

    @Test
    @DisplayName("A3 a pool whose workflow was canceled, as the Web UI can, is started again, and full")
    void thePoolComesBack() throws Exception {
        String canceled = temporal.runOf("pool");
        temporal.workflow("cancel", "--workflow-id", "pool");
        await().atMost(POOL_IS_BACK).until(() -> !temporal.runOf("pool").equals(canceled));
        Eventually.fullPool(keys);
    }

    @Test
    @DisplayName(
            "A2 A9 a worker is found by its state and by since when it is in it, as the sweep looks for what changed")
    void aWorkerIsFound() throws Exception {
        buy("found");
        Instant since = Instant.parse(trader.worker().path("since").asText());
        String active = "BerthUserId = 'story' AND BerthWorkerState = 'ACTIVE' AND BerthWorkerStateSince >= '%s'";
        await().atMost(VISIBLE)
                .until(() -> temporal.ids(active.formatted(since.minusSeconds(1))), List.of("worker:story")::equals);
        assertThat(temporal.ids(active.formatted(since.plusSeconds(1)))).isEmpty();
    }

    @Test
    @DisplayName("An order's first task is handed out with its start: the eager start is used")
    void theStartIsEager() throws Exception {
        buy("eager");
        List<JsonNode> history = temporal.history("order:story:eager");
        JsonNode started = history.getFirst().path("workflowExecutionStartedEventAttributes");
        assertThat(started.path("eagerExecutionAccepted").asBoolean())
                .as("the server granted an eager start")
                .isTrue();
        // Granted is not used: a process that lets the task lie would time out after 3 s and be tried elsewhere.
        assertThat(history.get(2).path("eventType").asText()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_STARTED");
        assertThat(history.get(2).path("workflowTaskStartedEventAttributes").path("identity"))
                .isEqualTo(started.path("identity"));
        assertThat(history.get(3).path("eventType").asText()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_COMPLETED");
    }

    @Test
    @DisplayName(
            "D11 a market order's history is at most 20 events and begins with the send; the summary and search attributes name it")
    void anOrderTellsItsStory() throws Exception {
        // The first order may have to wait for the worker and ask for it, which is told as well.
        buy("first");
        int shortest = Integer.MAX_VALUE;
        // On a busy machine one of them may have to be asked about as well.
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
                .contains("buy 1 AAPL at market", "story");
        JsonNode execution = described.path("workflowExecutionInfo");
        assertThat(execution.path("memo").path("fields").path("requestHash").asText())
                .hasSizeGreaterThanOrEqualTo(32);
        JsonNode attributes = execution.path("searchAttributes").path("indexedFields");
        assertThat(attribute(attributes, "BerthUserId")).isEqualTo("\"story\"");
        assertThat(attribute(attributes, "BerthSymbol")).isEqualTo("\"AAPL\"");
        assertThat(attribute(attributes, "BerthBroker")).isEqualTo("\"alpaca\"");
        assertThat(attribute(attributes, "BerthOrderStatus")).isEqualTo("\"FILLED\"");
        String mine = "BerthUserId = 'story' AND BerthOrderStatus = 'FILLED'";
        await().atMost(VISIBLE)
                .untilAsserted(() -> assertThat(temporal.ids(mine)).contains("order:story:story"));
    }

    @Test
    @DisplayName("A worker's lifecycle, the pool and their states are found by search attribute and fixed workflow id")
    void aWorkerTellsItsStory() throws Exception {
        buy("worker");
        String mine = "BerthUserId = 'story' AND BerthWorkerState = 'ACTIVE'";
        await().atMost(VISIBLE)
                .untilAsserted(() -> assertThat(temporal.ids(mine)).containsExactly("worker:story"));
        JsonNode pool = temporal.workflow("describe", "--workflow-id", "pool").path("workflowExecutionInfo");
        assertThat(pool.path("status").asText()).contains("RUNNING");
    }

    @Test
    @DisplayName(
            "A2 GET /v1/worker says all that is known of a worker; its details in the Web UI say the same, or lead there")
    void whatIsKnownOfAWorker() throws Exception {
        Instant before = Instant.now();
        buy("known");
        // What it does is told beside the order.
        await().atMost(VISIBLE)
                .until(() -> trader.worker().path("lastOrderAt").asText().startsWith("2")
                        && !Instant.parse(trader.worker().path("lastOrderAt").asText())
                                .isBefore(before));
        JsonNode worker = Eventually.activeWorker(trader, 1, VISIBLE);
        assertThat(Processes.ofTask(Ecs.idOf(worker)))
                .isEqualTo(worker.path("pid").asLong());
        assertThat(worker.path("host").asText())
                .isEqualTo(keys.hash("worker:metadata:story").get("host"));
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
                        "[alpaca/equity/paper/paper]",
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
        var answer = trader.submit(NewOrder.market(id, "AAPL", "buy", "1"), 20);
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("FILLED");
        temporal.awaitLast("order:story:" + id, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", VISIBLE);
    }

    private static String attribute(JsonNode attributes, String name) {
        return TemporalCli.decoded(attributes.path(name).path("data").asText());
    }
}
