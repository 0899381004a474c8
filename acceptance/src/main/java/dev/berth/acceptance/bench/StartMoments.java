package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * When a user's first start reached each of its steps: by the history of its lifecycle, and by what the worker says of
 * itself. Both are of this machine's clock.
 *
 * @param asked its signal was accepted
 * @param sent the claim is sent, and that is on record; of a cold start: ECS answered that the task runs
 * @param pickedUp the process took the claim, or came up
 * @param attached it made its mark, and its word that it serves was accepted
 * @param connected its session is open
 * @param active the lifecycle says so
 */
record StartMoments(
        Instant asked, Instant sent, Instant pickedUp, Instant attached, Instant connected, Instant active) {

    static StartMoments of(Stack stack, String user) throws IOException, InterruptedException {
        JsonNode events = stack.history("worker:" + user).path("events");
        String pickedUp =
                RedisKeyspace.of(stack).hash("worker:metadata:" + user).get("launched_at");
        if (pickedUp == null) {
            throw new IllegalStateException("the worker of " + user + " does not say since when it serves");
        }
        JsonNode open = scheduled(events, "openSession").orElseThrow();
        Instant sent = scheduled(events, "runTask")
                .map(run -> time(end(events, run, "Completed")))
                .orElseGet(() -> time(became(events, "CLAIMED")));
        return new StartMoments(
                time(events.path(0)),
                sent,
                Instant.parse(pickedUp),
                time(signaled(events, "attached")),
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

    /** The event by which a scheduled activity was started, or completed. */
    private static JsonNode end(JsonNode events, JsonNode scheduled, String how) {
        return stream(events)
                .filter(event -> event.path("activityTask" + how + "EventAttributes")
                        .path("scheduledEventId")
                        .asText()
                        .equals(scheduled.path("eventId").asText()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("not " + how + ": " + scheduled));
    }

    private static JsonNode signaled(JsonNode events, String signal) {
        return stream(events)
                .filter(event -> event.path("workflowExecutionSignaledEventAttributes")
                        .path("signalName")
                        .asText()
                        .equals(signal))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody said: " + signal));
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
