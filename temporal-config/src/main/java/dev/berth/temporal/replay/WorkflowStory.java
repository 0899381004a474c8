package dev.berth.temporal.replay;

import static java.time.temporal.ChronoUnit.MILLIS;

import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.MarkerRecordedEventAttributes;
import io.temporal.api.history.v1.TimerStartedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionStartedEventAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A history as a person reads it: when, what happened or was decided, and why. Steps of the
 * machinery are left out.
 */
final class WorkflowStory {
    private static final int LONGEST = 160;

    /** Activities and timers by the event that began them. */
    private final Map<Long, String> begun = new HashMap<>();

    private WorkflowStory() {}

    /** One line a step, oldest first. */
    static List<String> of(List<HistoryEvent> events) {
        WorkflowStory story = new WorkflowStory();
        List<String> lines = new ArrayList<>();
        for (HistoryEvent event : events) {
            story.line(event)
                    .ifPresent(text -> lines.add("%s  %4s  %s".formatted(time(event), event.getEventId(), text)));
        }
        return lines;
    }

    private static String time(HistoryEvent event) {
        Instant time = Instant.ofEpochSecond(
                event.getEventTime().getSeconds(), event.getEventTime().getNanos());
        return time.truncatedTo(MILLIS).toString();
    }

    private Optional<String> line(HistoryEvent event) {
        return Optional.ofNullable(
                switch (event.getAttributesCase()) {
                    case WORKFLOW_EXECUTION_STARTED_EVENT_ATTRIBUTES -> started(event);
                    case WORKFLOW_EXECUTION_SIGNALED_EVENT_ATTRIBUTES -> {
                        var signal = event.getWorkflowExecutionSignaledEventAttributes();
                        yield "heard: " + signal.getSignalName() + " " + arguments(signal.getInput());
                    }
                    case WORKFLOW_EXECUTION_UPDATE_ACCEPTED_EVENT_ATTRIBUTES -> {
                        var input = event.getWorkflowExecutionUpdateAcceptedEventAttributes()
                                .getAcceptedRequest()
                                .getInput();
                        yield "asked for: " + input.getName() + " " + arguments(input.getArgs());
                    }
                    case WORKFLOW_EXECUTION_UPDATE_COMPLETED_EVENT_ATTRIBUTES -> "what was asked for is answered";
                    case ACTIVITY_TASK_SCHEDULED_EVENT_ATTRIBUTES -> scheduled(event);
                    case ACTIVITY_TASK_STARTED_EVENT_ATTRIBUTES -> {
                        var start = event.getActivityTaskStartedEventAttributes();
                        yield begun(start.getScheduledEventId()) + " was taken by " + start.getIdentity();
                    }
                    case ACTIVITY_TASK_COMPLETED_EVENT_ATTRIBUTES -> {
                        var end = event.getActivityTaskCompletedEventAttributes();
                        yield begun(end.getScheduledEventId()) + " answered " + arguments(end.getResult());
                    }
                    case ACTIVITY_TASK_FAILED_EVENT_ATTRIBUTES -> {
                        var end = event.getActivityTaskFailedEventAttributes();
                        yield begun(end.getScheduledEventId()) + " failed: " + why(end.getFailure());
                    }
                    case ACTIVITY_TASK_TIMED_OUT_EVENT_ATTRIBUTES -> {
                        var end = event.getActivityTaskTimedOutEventAttributes();
                        yield begun(end.getScheduledEventId()) + " was given up: " + why(end.getFailure());
                    }
                    case ACTIVITY_TASK_CANCEL_REQUESTED_EVENT_ATTRIBUTES ->
                        "decided: "
                                + begun(event.getActivityTaskCancelRequestedEventAttributes()
                                        .getScheduledEventId())
                                + " is to be canceled";
                    case ACTIVITY_TASK_CANCELED_EVENT_ATTRIBUTES ->
                        begun(event.getActivityTaskCanceledEventAttributes().getScheduledEventId()) + " is canceled";
                    case TIMER_STARTED_EVENT_ATTRIBUTES -> timer(event);
                    case TIMER_FIRED_EVENT_ATTRIBUTES ->
                        "waited: " + begun(event.getTimerFiredEventAttributes().getStartedEventId());
                    case MARKER_RECORDED_EVENT_ATTRIBUTES -> marker(event.getMarkerRecordedEventAttributes());
                    case UPSERT_WORKFLOW_SEARCH_ATTRIBUTES_EVENT_ATTRIBUTES ->
                        "is now: "
                                + values(event.getUpsertWorkflowSearchAttributesEventAttributes()
                                        .getSearchAttributes()
                                        .getIndexedFieldsMap());
                    case SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED_EVENT_ATTRIBUTES -> {
                        var signal = event.getSignalExternalWorkflowExecutionInitiatedEventAttributes();
                        yield "told " + signal.getWorkflowExecution().getWorkflowId() + ": " + signal.getSignalName();
                    }
                    case WORKFLOW_TASK_FAILED_EVENT_ATTRIBUTES ->
                        "the code failed, and is tried again: "
                                + why(event.getWorkflowTaskFailedEventAttributes()
                                        .getFailure());
                    case WORKFLOW_EXECUTION_CONTINUED_AS_NEW_EVENT_ATTRIBUTES ->
                        "goes on as a new run, "
                                + event.getWorkflowExecutionContinuedAsNewEventAttributes()
                                        .getNewExecutionRunId();
                    case WORKFLOW_EXECUTION_CANCEL_REQUESTED_EVENT_ATTRIBUTES -> "asked for: cancel of the workflow";
                    case WORKFLOW_EXECUTION_COMPLETED_EVENT_ATTRIBUTES ->
                        "ended: "
                                + arguments(event.getWorkflowExecutionCompletedEventAttributes()
                                        .getResult());
                    case WORKFLOW_EXECUTION_FAILED_EVENT_ATTRIBUTES ->
                        "failed: "
                                + why(event.getWorkflowExecutionFailedEventAttributes()
                                        .getFailure());
                    case WORKFLOW_EXECUTION_TERMINATED_EVENT_ATTRIBUTES ->
                        "was terminated: "
                                + event.getWorkflowExecutionTerminatedEventAttributes()
                                        .getReason();
                    default -> null;
                });
    }

    private static String started(HistoryEvent event) {
        WorkflowExecutionStartedEventAttributes start = event.getWorkflowExecutionStartedEventAttributes();
        String before = start.getContinuedExecutionRunId().isEmpty()
                ? ""
                : ", goes on from run " + start.getContinuedExecutionRunId();
        return "started: " + start.getWorkflowType().getName() + because(event) + before + " "
                + arguments(start.getInput());
    }

    private String scheduled(HistoryEvent event) {
        ActivityTaskScheduledEventAttributes activity = event.getActivityTaskScheduledEventAttributes();
        String name = activity.getActivityType().getName();
        begun.put(event.getEventId(), name);
        Duration wait = Duration.ofSeconds(activity.getScheduleToStartTimeout().getSeconds());
        return "decided: " + name + " on queue " + activity.getTaskQueue().getName()
                + (wait.isZero() ? "" : ", to be taken within " + wait) + because(event);
    }

    private String timer(HistoryEvent event) {
        TimerStartedEventAttributes timer = event.getTimerStartedEventAttributes();
        Duration time = Duration.ofSeconds(
                timer.getStartToFireTimeout().getSeconds(),
                timer.getStartToFireTimeout().getNanos());
        String text = time + because(event);
        begun.put(event.getEventId(), text);
        return "decided: wait " + text;
    }

    private static String marker(MarkerRecordedEventAttributes marker) {
        String name = Optional.ofNullable(marker.getDetailsMap().get("type"))
                .map(WorkflowStory::arguments)
                .orElse(marker.getMarkerName());
        if (marker.hasFailure()) {
            return "did: " + name + ", which failed: " + why(marker.getFailure());
        }
        return "did: " + name
                + Optional.ofNullable(marker.getDetailsMap().get("result"))
                        .map(result -> ", which answered " + arguments(result))
                        .orElse("");
    }

    private String begun(long eventId) {
        return begun.getOrDefault(eventId, "event " + eventId);
    }

    /** What the code itself says of it, beside the step in the Web UI. */
    private static String because(HistoryEvent event) {
        String summary = text(event.getUserMetadata().getSummary());
        return summary.isEmpty() ? "" : " (" + summary.replace("\"", "") + ")";
    }

    private static String why(Failure failure) {
        String cause = failure.hasCause() ? why(failure.getCause()) : "";
        return cause.isEmpty() ? failure.getMessage() : failure.getMessage() + ": " + cause;
    }

    private static String values(Map<String, Payload> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + " " + text(field.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String arguments(Payloads payloads) {
        return shortened(
                payloads.getPayloadsList().stream().map(WorkflowStory::text).collect(Collectors.joining(", ")));
    }

    private static String text(Payload payload) {
        return payload.getData().toStringUtf8();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
