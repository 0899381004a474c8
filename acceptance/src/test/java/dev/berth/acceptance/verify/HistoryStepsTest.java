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
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is read out of a history. */
class HistoryStepsTest {

    @Test
    @DisplayName("Declines and look-ups that found nothing are steps; other answers of other activities are none")
    void steps() {
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
                completed(14, 13, "sealed, so nobody can read it"));
        assertThat(HistorySteps.of(events))
                .containsExactly(step(5, 7, OrderWorkflow.Answer.DECLINED), step(9, 10, OrderWorkflow.Answer.ABSENT));
    }

    private static OrderWorkflow.Step step(long asked, long at, OrderWorkflow.Answer answer) {
        return new OrderWorkflow.Step(Instant.ofEpochSecond(asked), Instant.ofEpochSecond(at), answer);
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
}
