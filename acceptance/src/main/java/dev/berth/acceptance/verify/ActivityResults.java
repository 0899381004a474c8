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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the activity results that prove an order absent at the venue. */
final class ActivityResults {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ActivityResults() {}

    static List<OrderHistory.ActivityResult> of(List<HistoryEvent> events) {
        Map<Long, HistoryEvent> scheduled = new HashMap<>();
        List<OrderHistory.ActivityResult> results = new ArrayList<>();
        for (HistoryEvent event : events) {
            if (event.hasActivityTaskScheduledEventAttributes()) {
                scheduled.put(event.getEventId(), event);
            } else if (event.hasActivityTaskCompletedEventAttributes()) {
                ActivityTaskCompletedEventAttributes done = event.getActivityTaskCompletedEventAttributes();
                HistoryEvent started =
                        scheduled.getOrDefault(done.getScheduledEventId(), HistoryEvent.getDefaultInstance());
                outcome(activity(started), outcome(done))
                        .ifPresent(outcome ->
                                results.add(new OrderHistory.ActivityResult(time(started), time(event), outcome)));
            }
        }
        return results;
    }

    /** The tasks that took activities of the user's own queues: the gateway names each itself. */
    static Set<String> tasks(List<HistoryEvent> events, String user) {
        Set<Long> own = new HashSet<>();
        Set<String> tasks = new HashSet<>();
        for (HistoryEvent event : events) {
            String queue = event.getActivityTaskScheduledEventAttributes()
                    .getTaskQueue()
                    .getName();
            var started = event.getActivityTaskStartedEventAttributes();
            if (queue.equals("user-" + user) || queue.equals("user-" + user + "-control")) {
                own.add(event.getEventId());
            } else if (own.contains(started.getScheduledEventId())) {
                tasks.add(started.getIdentity().split("@", 2)[0]);
            }
        }
        return tasks;
    }

    private static String activity(HistoryEvent scheduled) {
        return scheduled
                .getActivityTaskScheduledEventAttributes()
                .getActivityType()
                .getName();
    }

    private static Optional<OrderHistory.NotAtVenue> outcome(String activity, String outcome) {
        return switch (activity + " " + outcome) {
            case "submitOrder declined" -> Optional.of(OrderHistory.NotAtVenue.DECLINED);
            case "findOrder absent" -> Optional.of(OrderHistory.NotAtVenue.ABSENT);
            default -> Optional.empty();
        };
    }

    private static String outcome(ActivityTaskCompletedEventAttributes done) {
        return done.getResult().getPayloadsCount() == 0
                ? ""
                : read(done.getResult().getPayloads(0)).path("outcome").asText();
    }

    /** The text of a payload; empty without one. */
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
