package dev.berth.temporal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.api.history.v1.History;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded histories, replayed as {@code ./berth replay} does it. */
@Tag("X12")
@Tag("X25")
class HistoryReplayTest {
    private static final Path HISTORIES = Path.of("../workflows/src/test/resources/histories");
    private static final String ORDER = "order:alice:o-1";

    private static WorkflowExecutionHistory history(String name, String workflowId) throws IOException {
        return WorkflowExecutionHistory.fromJson(Files.readString(HISTORIES.resolve(name + ".json")), workflowId);
    }

    @ParameterizedTest(name = "{0}.json replays with the code of today")
    @CsvSource({
        "order, order:alice:o-1",
        "order-reset, order:alice:o-1",
        "worker, worker:alice",
        "pool, pool",
        "late-report, late:alice:o-1",
        "maintenance, maintenance",
        "mass-cancel, cancel:alice:switch:k-1",
        "fleet-mass-cancel, cancel-fleet:switch:k-1",
        "close-positions, close:alice:alpaca/equity/paper/paper:7c35c5a1785d20704e44d5de4beb81c1",
        "exclusive-close, close:alice:alpaca/equity/paper/paper",
    })
    void recordedHistoryReplays(String name, String workflowId) throws IOException {
        assertThat(HistoryReplay.differsAt(history(name, workflowId))).isEmpty();
    }

    @Test
    @DisplayName("A history of something else than today's code would do is told by its first event that differs")
    void firstDifferingEventIsNamed() throws IOException {
        History.Builder order = history("order", ORDER).getHistory().toBuilder();
        int submission = submission(order);
        order.getEventsBuilder(submission)
                .getActivityTaskScheduledEventAttributesBuilder()
                .getActivityTypeBuilder()
                .setName("cancelOrder");
        assertThat(HistoryReplay.differsAt(new WorkflowExecutionHistory(order.build(), ORDER)))
                .hasValueSatisfying(difference -> assertThat(difference)
                        .startsWith("differs at event "
                                + order.getEvents(submission).getEventId() + ": "));
    }

    private static int submission(History.Builder order) {
        int at = 0;
        while (!order.getEvents(at).hasActivityTaskScheduledEventAttributes()) {
            at++;
        }
        return at;
    }

    @Test
    @DisplayName("The story says what was decided, why, and how it ended")
    void storyTellsDecisionsAndEnd() throws IOException {
        String story =
                String.join("\n", WorkflowStory.of(history("order", ORDER).getEvents()));
        assertThat(story)
                .contains("started: Order")
                .contains("decided: submitOrder on queue user-alice, to be taken within PT")
                .contains("submitOrder answered {\"outcome\":\"declined\"")
                .contains("is now: BerthOrderStatus \"UNKNOWN\"")
                .contains("heard: report ")
                .contains("asked for: cancel")
                .contains("ended: ");
    }
}
