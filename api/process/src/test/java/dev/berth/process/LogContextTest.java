package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogContextTest {
    @Test
    @DisplayName("An activity logs its workflow, user and order")
    void activityLogsItsWorkflow() {
        assertThat(ActivityLogContext.namesOf("order:alice:o-1"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("workflowId", "order:alice:o-1", "userId", "alice", "orderId", "o-1"));
        assertThat(ActivityLogContext.namesOf("worker:alice"))
                .containsExactlyInAnyOrderEntriesOf(Map.of("workflowId", "worker:alice", "userId", "alice"));
        assertThat(ActivityLogContext.namesOf("pool")).containsOnly(Map.entry("workflowId", "pool"));
    }
}
