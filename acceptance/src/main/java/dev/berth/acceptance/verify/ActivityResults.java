package dev.berth.acceptance.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.history.v1.ActivityTaskCompletedEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.update.v1.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what proves an order absent at the venue: activity results, and words of persons. */
final class ActivityResults {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ActivityResults() {}

    static List<OrderHistory.ActivityResult> of(List<HistoryEvent> events) {
        Map<Long, HistoryEvent> scheduled = new HashMap<>();
        List<OrderHistory.ActivityResult> results = new ArrayList<>();
        for (HistoryEvent event : events) {
            if (isToldAbsent(event)) {
                results.add(
                        new OrderHistory.ActivityResult(time(event), time(event), OrderHistory.NotAtVenue.TOLD_ABSENT));
            } else if (event.hasActivityTaskScheduledEventAttributes()) {
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

    private static boolean isToldAbsent(HistoryEvent event) {
        Input update = event.getWorkflowExecutionUpdateAcceptedEventAttributes()
                .getAcceptedRequest()
                .getInput();
        return update.getName().equals("resolve")
                && !read(update.getArgs().getPayloads(0)).has("venueOrderId");
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
            // Not "absent unproven": the venue may have it all the same.
            default -> Optional.empty();
        };
    }

    private static String outcome(ActivityTaskCompletedEventAttributes done) {
        if (done.getResult().getPayloadsCount() == 0) {
            return "";
        }
        JsonNode result = read(done.getResult().getPayloads(0));
        String unproven = result.path("unproven").asBoolean() ? " unproven" : "";
        return result.path("outcome").asText() + unproven;
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
