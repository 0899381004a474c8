package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.temporal.api.common.v1.ActivityType;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.ActivityTaskCompletedEventAttributes;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionUpdateAcceptedEventAttributes;
import io.temporal.api.update.v1.Input;
import io.temporal.api.update.v1.Request;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ActivityResultsTest {

    @Test
    @DisplayName("Declines and empty look-ups are read, and other results are ignored")
    void declinesAndAbsencesAreRead() {
        List<HistoryEvent> events = List.of(
                scheduled(5, "submitOrder"),
                scheduled(6, "ensureWorker"),
                completed(7, 5, "{\"outcome\":\"declined\",\"cause\":\"FENCED\"}"),
                completed(8, 6, "{\"outcome\":\"absent\"}"),
                scheduled(9, "findOrder"),
                completed(10, 9, "{\"outcome\":\"absent\",\"epoch\":3}"),
                scheduled(11, "findOrder"),
                completed(12, 11, "{\"outcome\":\"found\"}"),
                scheduled(13, "findOrder"),
                completed(14, 13, "encrypted"),
                scheduled(15, "findOrder"),
                completed(16, 15, "{\"outcome\":\"absent\",\"epoch\":3,\"unproven\":true}"),
                resolved(17, "{\"venueOrderId\":\"v-1\",\"by\":\"olga\"}"),
                resolved(18, "{\"by\":\"olga\"}"));
        assertThat(ActivityResults.of(events))
                .containsExactly(
                        step(5, 7, OrderHistory.NotAtVenue.DECLINED),
                        step(9, 10, OrderHistory.NotAtVenue.ABSENT),
                        step(18, 18, OrderHistory.NotAtVenue.TOLD_ABSENT));
    }

    private static OrderHistory.ActivityResult step(
            long scheduledAt, long completedAt, OrderHistory.NotAtVenue answer) {
        return new OrderHistory.ActivityResult(
                Instant.ofEpochSecond(scheduledAt), Instant.ofEpochSecond(completedAt), answer);
    }

    /** At as many seconds as its id says. */
    private static HistoryEvent scheduled(long id, String activity) {
        return HistoryEvent.newBuilder()
                .setEventId(id)
                .setEventTime(Timestamp.newBuilder().setSeconds(id))
                .setActivityTaskScheduledEventAttributes(ActivityTaskScheduledEventAttributes.newBuilder()
                        .setActivityType(ActivityType.newBuilder().setName(activity)))
                .build();
    }

    /** At as many seconds as its id says. */
    private static HistoryEvent completed(long id, long scheduled, String result) {
        return HistoryEvent.newBuilder()
                .setEventId(id)
                .setEventTime(Timestamp.newBuilder().setSeconds(id))
                .setActivityTaskCompletedEventAttributes(ActivityTaskCompletedEventAttributes.newBuilder()
                        .setScheduledEventId(scheduled)
                        .setResult(Payloads.newBuilder()
                                .addPayloads(Payload.newBuilder().setData(ByteString.copyFromUtf8(result)))))
                .build();
    }

    /** At as many seconds as its id says. */
    private static HistoryEvent resolved(long id, String resolution) {
        return HistoryEvent.newBuilder()
                .setEventId(id)
                .setEventTime(Timestamp.newBuilder().setSeconds(id))
                .setWorkflowExecutionUpdateAcceptedEventAttributes(
                        WorkflowExecutionUpdateAcceptedEventAttributes.newBuilder()
                                .setAcceptedRequest(Request.newBuilder()
                                        .setInput(Input.newBuilder()
                                                .setName("resolve")
                                                .setArgs(Payloads.newBuilder()
                                                        .addPayloads(Payload.newBuilder()
                                                                .setData(ByteString.copyFromUtf8(resolution)))))))
                .build();
    }
}
