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
 * One sweep, started directly.
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

    /** False in Redis' first minute, when a missing key proves no death. */
    boolean couldRead() {
        return report.path("view").isObject();
    }

    double readMillis() {
        return report.path("view").path("millis").asDouble();
    }

    int found(String kind) {
        return report.path("view").path("found").path(kind).asInt();
    }

    int healed(String kind) {
        return report.path("healed").path("healed").path(kind).asInt();
    }

    /** The drifts found beyond this minute's stop budget. */
    int overBudget() {
        return report.path("healed").path("overBudget").asInt();
    }

    /** The texts of some failures. */
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

    /** The duration of the whole sweep. */
    double millis() {
        return millis(events.getLast()) - millis(events.getFirst());
    }

    /** The minutes of its heals, rounded up; each has its own stop budget. */
    int minutes() {
        return (int) (healMillis() / 60_000) + 1;
    }

    /** The time from the end of the read to the end of the last batch. */
    double healMillis() {
        List<Double> done = events.stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED)
                .map(SweepRun::millis)
                .toList();
        return done.getLast() - done.getFirst();
    }

    /** The size of the largest event, an upper bound for its payloads. */
    double biggestEventKilobytes() {
        return events.stream().mapToInt(HistoryEvent::getSerializedSize).max().orElse(0) / 1000.0;
    }

    private static double millis(HistoryEvent event) {
        Timestamp time = event.getEventTime();
        return time.getSeconds() * 1e3 + time.getNanos() / 1e6;
    }
}
