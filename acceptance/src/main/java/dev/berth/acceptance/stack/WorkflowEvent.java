package dev.berth.acceptance.stack;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.JsonRecords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event of a workflow's history, as the {@code temporal} command line prints it. */
public record WorkflowEvent(
        String eventId,
        String eventType,
        Instant eventTime,

        @JsonProperty("workflowExecutionStartedEventAttributes") @Nullable
        Start start,

        @JsonProperty("workflowTaskStartedEventAttributes") @Nullable
        TaskStart taskStart,

        @JsonProperty("activityTaskScheduledEventAttributes") @Nullable
        Scheduled scheduled,

        @JsonProperty("activityTaskCompletedEventAttributes") @Nullable
        Completed completed,

        @JsonProperty("activityTaskFailedEventAttributes") @Nullable
        Failed failed,

        @JsonProperty("workflowExecutionSignaledEventAttributes") @Nullable
        Signaled signaled,

        @JsonProperty("upsertWorkflowSearchAttributesEventAttributes") @Nullable
        Upserted upserted) {

    /** The start of the workflow. */
    public record Start(@Nullable Boolean eagerExecutionAccepted, String identity) {}

    /** The start of a workflow task. */
    public record TaskStart(String identity) {}

    /** An activity that is scheduled. */
    public record Scheduled(ActivityType activityType) {}

    /** The type of an activity. */
    public record ActivityType(String name) {}

    /** The end of an activity; it may have no result. */
    public record Completed(
            String scheduledEventId, @Nullable Payloads result) {}

    /** What an activity returned. */
    public record Payloads(@Nullable List<Payload> payloads) {}

    /** A value in Base64; its metadata, too. */
    public record Payload(
            @Nullable Map<String, String> metadata,
            @Nullable String data) {
        public String text() {
            return decoded(JsonRecords.required(data, "data"));
        }

        public String metadata(String name) {
            return decoded(JsonRecords.required(
                    JsonRecords.required(metadata, "metadata").get(name), name));
        }
    }

    /** An attempt of an activity that failed. */
    public record Failed(Failure failure) {}

    /** What an activity threw. */
    public record Failure(@Nullable FailureInfo applicationFailureInfo) {}

    /** The name of what an activity threw. */
    public record FailureInfo(@Nullable String type) {}

    /** A signal. */
    public record Signaled(String signalName) {}

    /** A change of search attributes. */
    public record Upserted(SearchAttributes searchAttributes) {}

    /** Search attributes by name. */
    public record SearchAttributes(Map<String, Payload> indexedFields) {}

    /** The events of a printed history. */
    public static List<WorkflowEvent> of(JsonNode history) {
        return JsonRecords.list(history.required("events"), WorkflowEvent.class);
    }

    public static String decoded(String payload) {
        return new String(Base64.getDecoder().decode(payload), StandardCharsets.UTF_8);
    }

    /** Whether an activity of this type is scheduled. */
    public boolean schedules(String activityType) {
        return scheduled != null && scheduled.activityType().name().equals(activityType);
    }

    /** Whether a scheduled activity has completed. */
    public boolean completes(WorkflowEvent activity) {
        return completed != null && completed.scheduledEventId().equals(activity.eventId());
    }

    public boolean isSignal(String name) {
        return signaled != null && signaled.signalName().equals(name);
    }

    /** Whether an attempt of an activity failed with this type. */
    public boolean failsWith(String type) {
        return failed != null
                && failed.failure().applicationFailureInfo() != null
                && type.equals(failed.failure().applicationFailureInfo().type());
    }

    /** The new value of a search attribute, as JSON; empty without a change of it. */
    public Optional<String> changed(String searchAttribute) {
        return Optional.ofNullable(upserted)
                .map(change -> change.searchAttributes().indexedFields().get(searchAttribute))
                .map(Payload::text);
    }

    /** What an activity returned; empty without a result. */
    public List<Payload> results() {
        return completed == null
                        || completed.result() == null
                        || completed.result().payloads() == null
                ? List.of()
                : completed.result().payloads();
    }
}
