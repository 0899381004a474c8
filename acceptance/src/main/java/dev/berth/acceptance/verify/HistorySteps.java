package dev.berth.acceptance.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.history.v1.ActivityTaskCompletedEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an order's history holds about whether the venue has it. */
final class HistorySteps {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HistorySteps() {}

    static List<OrderWorkflow.Step> of(List<HistoryEvent> events) {
        Map<Long, HistoryEvent> scheduled = new HashMap<>();
        List<OrderWorkflow.Step> steps = new ArrayList<>();
        for (HistoryEvent event : events) {
            if (event.hasActivityTaskScheduledEventAttributes()) {
                scheduled.put(event.getEventId(), event);
            } else if (event.hasActivityTaskCompletedEventAttributes()) {
                ActivityTaskCompletedEventAttributes done = event.getActivityTaskCompletedEventAttributes();
                HistoryEvent asked =
                        scheduled.getOrDefault(done.getScheduledEventId(), HistoryEvent.getDefaultInstance());
                answer(activity(asked), outcome(done))
                        .ifPresent(answer -> steps.add(new OrderWorkflow.Step(time(asked), time(event), answer)));
            }
        }
        return steps;
    }

    private static String activity(HistoryEvent scheduled) {
        return scheduled
                .getActivityTaskScheduledEventAttributes()
                .getActivityType()
                .getName();
    }

    private static Optional<OrderWorkflow.Answer> answer(String activity, String outcome) {
        return switch (activity + " " + outcome) {
            case "submitOrder declined" -> Optional.of(OrderWorkflow.Answer.DECLINED);
            case "findOrder absent" -> Optional.of(OrderWorkflow.Answer.ABSENT);
            default -> Optional.empty();
        };
    }

    private static String outcome(ActivityTaskCompletedEventAttributes done) {
        return done.getResult().getPayloadsCount() == 0
                ? ""
                : read(done.getResult().getPayloads(0)).path("outcome").asText();
    }

    /** The text in a payload; empty when there is none. */
    static String text(@Nullable Payload payload) {
        return payload == null ? "" : read(payload).asText();
    }

    private static JsonNode read(Payload payload) {
        try {
            return JSON.readTree(payload.getData().toStringUtf8());
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }

    private static Instant time(HistoryEvent event) {
        return Instant.ofEpochSecond(
                event.getEventTime().getSeconds(), event.getEventTime().getNanos());
    }
}
