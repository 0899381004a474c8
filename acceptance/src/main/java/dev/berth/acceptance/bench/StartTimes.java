package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The times of a user's first start, from the lifecycle's history, by this machine's clock.
 *
 * @param asked the start's signal
 * @param sent the claim is recorded as sent, or ECS has answered the launch
 * @param attached the signal {@code attached}, after the heartbeat key
 * @param connected the session is open
 * @param active the lifecycle is {@code ACTIVE}
 */
record StartTimes(Instant asked, Instant sent, Instant attached, Instant connected, Instant active) {

    static StartTimes of(Stack stack, String user) throws IOException, InterruptedException {
        JsonNode events = stack.history("worker:" + user).path("events");
        JsonNode open = scheduled(events, "openSession").orElseThrow();
        Instant sent = scheduled(events, "runTask")
                .map(run -> time(end(events, run, "Completed")))
                .orElseGet(() -> time(became(events, "CLAIMED")));
        return new StartTimes(
                time(events.path(0)),
                sent,
                time(attached(events)),
                time(end(events, open, "Completed")),
                time(became(events, "ACTIVE")));
    }

    private static Optional<JsonNode> scheduled(JsonNode events, String activity) {
        return stream(events)
                .filter(event -> event.path("activityTaskScheduledEventAttributes")
                        .path("activityType")
                        .path("name")
                        .asText()
                        .equals(activity))
                .findFirst();
    }

    /** The event that started or completed a scheduled activity. */
    private static JsonNode end(JsonNode events, JsonNode scheduled, String how) {
        return stream(events)
                .filter(event -> event.path("activityTask" + how + "EventAttributes")
                        .path("scheduledEventId")
                        .asText()
                        .equals(scheduled.path("eventId").asText()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("not " + how + ": " + scheduled));
    }

    private static JsonNode attached(JsonNode events) {
        return stream(events)
                .filter(event -> event.path("workflowExecutionSignaledEventAttributes")
                        .path("signalName")
                        .asText()
                        .equals("attached"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("its process never attached"));
    }

    private static JsonNode became(JsonNode events, String state) {
        return stream(events)
                .filter(event -> text(event.path("upsertWorkflowSearchAttributesEventAttributes")
                                .path("searchAttributes")
                                .path("indexedFields")
                                .path("BerthWorkerState")
                                .path("data"))
                        .equals("\"" + state + "\""))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("never " + state));
    }

    private static String text(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.UTF_8);
    }

    private static Instant time(JsonNode event) {
        return Instant.parse(event.path("eventTime").asText());
    }

    private static Stream<JsonNode> stream(JsonNode events) {
        return StreamSupport.stream(events.spliterator(), false);
    }
}
