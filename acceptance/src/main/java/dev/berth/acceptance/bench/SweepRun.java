package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Timestamp;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.util.List;
import java.util.UUID;

/**
 * One sweep that was started by hand.
 *
 * @param report its result
 * @param events its history
 */
record SweepRun(JsonNode report, List<HistoryEvent> events) {

    static SweepRun of(WorkflowClient temporal) {
        String id = "maintenance-bench-" + UUID.randomUUID();
        WorkflowStub sweep = temporal.newUntypedWorkflowStub(
                "Maintenance",
                WorkflowOptions.newBuilder()
                        .setTaskQueue("fleet")
                        .setWorkflowId(id)
                        .build());
        sweep.start();
        JsonNode report = sweep.getResult(JsonNode.class);
        return new SweepRun(report, temporal.fetchHistory(id).getEvents());
    }

    /** Redis has to be up for a minute before its marks prove anything. */
    boolean couldLook() {
        return report.path("view").isObject();
    }

    double lookMillis() {
        return report.path("view").path("millis").asDouble();
    }

    int found(String kind) {
        return report.path("view").path("found").path(kind).asInt();
    }

    int healed(String kind) {
        return report.path("healed").path("healed").path(kind).asInt();
    }

    /** So many more were found than may be stopped in this minute. */
    int overBudget() {
        return report.path("healed").path("overBudget").asInt();
    }

    /** A few of them, in words. */
    List<String> failures() {
        return report.path("healed")
                .path("failures")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    int stopsPerMinute() {
        return report.path("view").path("stopsPerMinute").asInt();
    }

    /** From its start to its end, all told. */
    double millis() {
        return millis(events.getLast()) - millis(events.getFirst());
    }

    /** How many minutes its heals took, begun ones counted; each has a kill budget of its own. */
    int minutes() {
        return (int) (healMillis() / 60_000) + 1;
    }

    /** From the end of the look to the end of the last batch; 0 when nothing was to be healed. */
    double healMillis() {
        List<Double> done = events.stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED)
                .map(SweepRun::millis)
                .toList();
        return done.getLast() - done.getFirst();
    }

    /** With what surrounds it, so no payload is bigger. */
    double biggestEventKilobytes() {
        return events.stream().mapToInt(HistoryEvent::getSerializedSize).max().orElse(0) / 1000.0;
    }

    private static double millis(HistoryEvent event) {
        Timestamp time = event.getEventTime();
        return time.getSeconds() * 1e3 + time.getNanos() / 1e6;
    }
}
