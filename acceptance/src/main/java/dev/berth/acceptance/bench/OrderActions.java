package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** Counts the billable actions of orders in their histories, as Temporal Cloud counts them. */
final class OrderActions {
    private static final Goal FILLED = Goal.most(4);
    private static final Goal CANCELED = Goal.most(8);
    private static final int ANSWER_SECONDS = 30;
    /** A price at which it rests. */
    private static final String FAR = "1.00";

    private static final Set<String> BILLED = Set.of(
            "EVENT_TYPE_WORKFLOW_EXECUTION_STARTED",
            "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED",
            "EVENT_TYPE_TIMER_STARTED",
            "EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES",
            "EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED",
            "EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED");
    /** Local activities of one workflow task count once. */
    private static final String MARKER = "EVENT_TYPE_MARKER_RECORDED";

    private final Stack stack;
    private final Measurements filled = new Measurements();
    private final Measurements canceled = new Measurements();

    OrderActions(Stack stack) {
        this.stack = stack;
    }

    void measure(int orders) throws IOException, InterruptedException {
        BenchUser user = BenchUser.fresh(stack);
        user.start();
        user.awaitActive(1);
        for (int number = 0; number < orders; number++) {
            String fills = "fills-" + number;
            user.trader().submit(OrderBody.market(fills, "SPY", "buy", "1"), ANSWER_SECONDS);
            filled.add(actions(user, fills));
            String rests = "rests-" + number;
            user.trader().submit(OrderBody.limit(rests, "SPY", "buy", "1", FAR), ANSWER_SECONDS);
            user.trader().delete("/v1/orders/" + rests);
            canceled.add(actions(user, rests));
        }
        user.stop();
        user.awaitEnd();
    }

    private int actions(BenchUser user, String id) throws IOException, InterruptedException {
        user.awaitFinal(id, Instant.now().plus(Duration.ofSeconds(ANSWER_SECONDS)));
        JsonNode events = stack.endedHistory("order:" + user.name() + ":" + id).required("events");
        int actions = 0;
        Set<String> tasks = new HashSet<>();
        for (JsonNode event : events) {
            String type = event.required("eventType").asText();
            boolean isFirstMarker = type.equals(MARKER)
                    && tasks.add(event.required("markerRecordedEventAttributes")
                            .required("workflowTaskCompletedEventId")
                            .asText());
            actions += BILLED.contains(type) || isFirstMarker ? 1 : 0;
        }
        return actions;
    }

    void print() {
        ResultTable.row("billable actions, filled at once", Unit.COUNT, filled, FILLED);
        ResultTable.row("billable actions, rests and is canceled", Unit.COUNT, canceled, CANCELED);
    }
}
