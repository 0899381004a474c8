package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.DescribedWorkflow;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.WorkflowEvent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
        Instant since = Eventually.activeWorker(trader, 1, VISIBLE).since();
        String active = "BerthUserId = 'story' AND BerthWorkerState = 'ACTIVE' AND BerthWorkerStateSince >= ";
        await().atMost(VISIBLE)
                .until(() -> temporal.ids(active + "'" + since.minusSeconds(1) + "'"), List.of("worker:story")::equals);
        assertThat(temporal.ids(active + "'" + since.plusSeconds(1) + "'")).isEmpty();
    }

    @Test
    @DisplayName("An order's workflow uses the eager start")
    void orderStartIsEager() throws Exception {
        buy("eager");
        List<WorkflowEvent> history = temporal.history("order:story:eager");
        WorkflowEvent.Start started = JsonRecords.required(history.getFirst().start(), "start");
        assertThat(started.eagerExecutionAccepted())
                .as("the server granted an eager start")
                .isTrue();
        // An accepted eager start that no process uses times out after 3 s.
        assertThat(history.get(2).eventType()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_STARTED");
        assertThat(history.get(2).taskStart()).isEqualTo(new WorkflowEvent.TaskStart(started.identity()));
        assertThat(history.get(3).eventType()).isEqualTo("EVENT_TYPE_WORKFLOW_TASK_COMPLETED");
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
        List<WorkflowEvent> history = temporal.history("order:story:story");
        assertThat(history.get(4).schedules("submitOrder")).isTrue();
        DescribedWorkflow described = temporal.describe("order:story:story");
        assertThat(described.summary()).isEqualTo("order story of story");
        assertThat(described.memo("requestHash")).hasSizeGreaterThanOrEqualTo(32);
        Map<String, WorkflowEvent.Payload> attributes = described.searchAttributes();
        assertThat(attribute(attributes, "BerthUserId")).isEqualTo("\"story\"");
        assertThat(attributes).doesNotContainKeys("BerthSymbol", "BerthBroker");
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
        assertThat(temporal.describe("pool").workflowExecutionInfo().status()).contains("RUNNING");
    }

    @Test
    @Tag("A2")
    @DisplayName("GET /v1/worker and the details in the Web UI show the same worker")
    void workerDetailsMatchApi() throws Exception {
        Instant before = Instant.now();
        buy("known");
        // The metadata follows the order.
        await().atMost(VISIBLE)
                .until(
                        () -> trader.worker().lastOrderAt(),
                        lastOrderAt -> lastOrderAt != null && !lastOrderAt.isBefore(before));
        Worker worker = Eventually.activeWorker(trader, 1, VISIBLE);
        assertThat(Processes.ofTask(worker.taskId())).isEqualTo(worker.pid());
        assertThat(worker.host()).isEqualTo(redis.hash("worker:metadata:story").get("host"));
        assertThat(worker.heartbeatAgeMillis()).isBetween(0L, 15_000L);
        Instant lastOrder = JsonRecords.required(worker.lastOrderAt(), "lastOrderAt");
        assertThat(lastOrder).isBetween(before, Instant.now());
        assertThat(worker.sessions()).containsExactly("alpaca/equity/paper/paper");
        assertThat(worker.since()).isAfterOrEqualTo(worker.requestedAt());
        assertThat(worker.next().action()).startsWith("stops as idle, unless an order comes");
        assertThat(worker.next().at()).isEqualTo(lastOrder.plus(Duration.ofMinutes(30)));

        String details = temporal.details("worker:story");
        assertThat(details)
                .startsWith("**ACTIVE** since " + worker.since() + ", epoch " + worker.epoch())
                .contains(
                        "Process " + worker.pid() + " on " + worker.host(),
                        worker.taskArn(),
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

    private static String attribute(Map<String, WorkflowEvent.Payload> attributes, String name) {
        return JsonRecords.required(attributes.get(name), name).text();
    }
}
