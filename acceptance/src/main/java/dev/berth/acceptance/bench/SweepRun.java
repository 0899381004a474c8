package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Timestamp;
import dev.berth.acceptance.rest.JsonRecords;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One sweep, started directly.
 *
 * @param report its result
 * @param events its history
 */
record SweepRun(Report report, List<HistoryEvent> events) {

    /** @param view absent in Redis' first minute, when a missing key proves no death */
    record Report(@Nullable View view, Healed healed) {}

    /** What the sweep read. */
    record View(double millis, int stopsPerMinute, Map<String, Integer> found) {}

    /** What the sweep changed. */
    record Healed(Map<String, Integer> healed, int overBudget, List<String> failures) {}

    static SweepRun of(WorkflowClient temporal) {
        String id = "maintenance-bench-" + UUID.randomUUID();
        WorkflowStub sweep = temporal.newUntypedWorkflowStub(
                "Maintenance",
                WorkflowOptions.newBuilder()
                        .setTaskQueue("fleet")
                        .setWorkflowId(id)
                        .build());
        sweep.start();
        Report report = JsonRecords.as(sweep.getResult(JsonNode.class), Report.class);
        return new SweepRun(report, temporal.fetchHistory(id).getEvents());
    }

    boolean couldRead() {
        return report.view() != null;
    }

    private View view() {
        return JsonRecords.required(report.view(), "view");
    }

    double readMillis() {
        return view().millis();
    }

    int found(String kind) {
        return view().found().getOrDefault(kind, 0);
    }

    int healed(String kind) {
        return report.healed().healed().getOrDefault(kind, 0);
    }

    /** The drifts found beyond this minute's stop budget. */
    int overBudget() {
        return report.healed().overBudget();
    }

    /** The texts of some failures. */
    List<String> failures() {
        return report.healed().failures();
    }

    int stopsPerMinute() {
        return view().stopsPerMinute();
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
