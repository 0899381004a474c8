package dev.berth.gateway;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.PlainText;
import io.temporal.api.failure.v1.ApplicationFailureInfo;
import io.temporal.api.failure.v1.Failure;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Failures as a worker may say them. A time-out or a cancellation means to a workflow that nothing
 * was done, and only the server knows that; so each failure is built anew, from its type and its
 * text.
 */
final class WorkerFailures {
    /** What the worker's own activities throw. */
    private static final Map<String, FailureType> OWN = Set.of(
                    FailureType.WRONG_EPOCH,
                    FailureType.CREDENTIALS_REFUSED,
                    FailureType.WRONG_USER,
                    FailureType.BROKER_SLOW,
                    FailureType.NO_SESSION,
                    FailureType.REQUEST_BUDGET,
                    FailureType.NOT_SUPPORTED)
            .stream()
            .collect(Collectors.toUnmodifiableMap(FailureType::code, Function.identity()));

    private static final int LONGEST_TEXT = 1_024;
    private static final String SOURCE = "worker";

    private WorkerFailures() {}

    /** Every other kind or type than the worker's own is {@link FailureType#WORKER_FAILED}. */
    static Failure of(Failure said) {
        FailureType type = said.hasApplicationFailureInfo()
                ? OWN.getOrDefault(said.getApplicationFailureInfo().getType(), FailureType.WORKER_FAILED)
                : FailureType.WORKER_FAILED;
        return of(type, said.getMessage());
    }

    /** Without cause, details, stack trace and delay of the next attempt. */
    static Failure of(FailureType type, String text) {
        return Failure.newBuilder()
                .setSource(SOURCE)
                .setMessage(PlainText.line(text, LONGEST_TEXT))
                .setApplicationFailureInfo(
                        ApplicationFailureInfo.newBuilder().setType(type.code()).setNonRetryable(!type.isRetryable()))
                .build();
    }
}
