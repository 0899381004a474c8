package dev.berth.routing.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerHeartbeatTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    @Tag("D2")
    @Test
    void whatIsWrittenIsRead() {
        ReportedActivity activity = new ReportedActivity("o-1", NOON.toString(), "", "one,two", 42);
        List<String> fields = WorkerHeartbeat.fields(
                "task/one", 3, new HeartbeatRequest(activity, "host-1", 7, "1.2.3", NOON.toString()));
        Map<String, String> hash = new HashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            hash.put(fields.get(i), fields.get(i + 1));
        }
        assertThat(WorkerHeartbeat.of(hash, 1200L))
                .isEqualTo(new WorkerHeartbeat(
                        "task/one", 3, 1200L, "o-1", NOON, null, List.of("one", "two"), 42, NOON, "1.2.3"));
    }

    @Test
    void unreadableFieldsAreIgnored() {
        assertThat(WorkerHeartbeat.of(Map.of("epoch", "three", "last_order_at", "yesterday"), null))
                .isEqualTo(WorkerHeartbeat.NONE);
    }
}
