package dev.berth.workflows.untrusted;

import com.google.protobuf.ByteString;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.Json;
import dev.berth.workflows.TaskQueues;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what workers answer. The SDK would parse an answer in the workflow's own thread, where one
 * that does not parse fails the workflow task, and fails it again for ever. Here it is the failure
 * of the activity, as if the worker had not answered.
 */
final class WorkerAnswers extends WorkflowOutboundCallsInterceptorBase {
    private static final String ENCODING = "encoding";
    private static final String JSON = "json/plain";
    private static final String REFUSED_ANSWERS = "berth_worker_answers_refused";

    WorkerAnswers(WorkflowOutboundCallsInterceptor next) {
        super(next);
    }

    @Override
    public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
        String queue = input.getOptions().getTaskQueue();
        if (queue == null || !TaskQueues.isOfUser(queue) || input.getResultClass() == void.class) {
            return super.executeActivity(input);
        }
        ActivityOutput<RawValue> unread = super.executeActivity(new ActivityInput<>(
                input.getActivityName(),
                RawValue.class,
                RawValue.class,
                input.getArgs(),
                input.getOptions(),
                input.getHeader()));
        return new ActivityOutput<>(unread.getActivityId(), unread.getResult().handle((answer, failure) -> {
            if (failure != null) {
                // Also that of a codec: a missing key is a fault of Berth, and no answer.
                throw failure;
            }
            return read(input, unread.getActivityId(), answer);
        }));
    }

    private static <R> R read(ActivityInput<R> input, String activityId, @Nullable RawValue answer) {
        try {
            return parse(json(answer), input.getResultClass());
        } catch (IllegalArgumentException none) {
            Workflow.getMetricsScope()
                    .tagged(Map.of("activity", input.getActivityName()))
                    .counter(REFUSED_ANSWERS)
                    .inc(1);
            throw new ActivityFailure(
                    "the worker's answer is none",
                    0,
                    0,
                    input.getActivityName(),
                    activityId,
                    RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE,
                    "",
                    FailureType.NO_ANSWER.failure(String.valueOf(none.getMessage())));
        }
    }

    /** @throws IllegalArgumentException when the text is no answer of this type */
    static <R> R parse(String json, Class<R> type) {
        R answer = Json.read(json, type);
        Optional<String> fault = answer == null ? Optional.of("null") : ValueCheck.fault("answer", answer);
        if (fault.isPresent()) {
            throw new IllegalArgumentException(fault.get());
        }
        return answer;
    }

    private static String json(@Nullable RawValue answer) {
        if (answer == null) {
            throw new IllegalArgumentException("empty");
        }
        Payload payload = answer.getPayload();
        ByteString encoding = payload.getMetadataMap().get(ENCODING);
        if (encoding == null || !encoding.toStringUtf8().equals(JSON)) {
            throw new IllegalArgumentException("not JSON");
        }
        return payload.getData().toStringUtf8();
    }
}
