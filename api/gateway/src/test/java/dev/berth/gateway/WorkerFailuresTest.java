package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.FailureType;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.api.failure.v1.ActivityFailureInfo;
import io.temporal.api.failure.v1.ApplicationFailureInfo;
import io.temporal.api.failure.v1.CanceledFailureInfo;
import io.temporal.api.failure.v1.ChildWorkflowExecutionFailureInfo;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.failure.v1.ResetWorkflowFailureInfo;
import io.temporal.api.failure.v1.ServerFailureInfo;
import io.temporal.api.failure.v1.TerminatedFailureInfo;
import io.temporal.api.failure.v1.TimeoutFailureInfo;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerFailuresTest {
    private static final Set<FailureType> WORKERS = EnumSet.of(
            FailureType.WRONG_EPOCH,
            FailureType.CREDENTIALS_REFUSED,
            FailureType.WRONG_USER,
            FailureType.BROKER_SLOW,
            FailureType.NO_SESSION,
            FailureType.REQUEST_BUDGET,
            FailureType.NOT_SUPPORTED);

    private static Stream<Failure> otherKinds() {
        Failure.Builder forged = Failure.newBuilder().setMessage("forged");
        return Stream.of(
                        forged.clone()
                                .setTimeoutFailureInfo(TimeoutFailureInfo.newBuilder()
                                        .setTimeoutType(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START)),
                        forged.clone().setCanceledFailureInfo(CanceledFailureInfo.getDefaultInstance()),
                        forged.clone()
                                .setServerFailureInfo(
                                        ServerFailureInfo.newBuilder().setNonRetryable(true)),
                        forged.clone().setTerminatedFailureInfo(TerminatedFailureInfo.getDefaultInstance()),
                        forged.clone().setResetWorkflowFailureInfo(ResetWorkflowFailureInfo.getDefaultInstance()),
                        forged.clone().setActivityFailureInfo(ActivityFailureInfo.getDefaultInstance()),
                        forged.clone()
                                .setChildWorkflowExecutionFailureInfo(
                                        ChildWorkflowExecutionFailureInfo.getDefaultInstance()),
                        forged.clone())
                .map(Failure.Builder::build);
    }

    @Tag("X31")
    @DisplayName("What only the server can say of an activity is a plain failure when a worker says it")
    @ParameterizedTest
    @MethodSource("otherKinds")
    void otherKindsAreWorkersFailures(Failure forged) {
        assertIsWorkers(WorkerFailures.of(forged));
    }

    private static void assertIsWorkers(Failure failure) {
        assertThat(failure.getApplicationFailureInfo())
                .isEqualTo(ApplicationFailureInfo.newBuilder()
                        .setType(FailureType.WORKER_FAILED.code())
                        .build());
        assertThat(failure.getMessage()).isEqualTo("forged");
    }

    private static Failure application(String type, boolean nonRetryable) {
        return Failure.newBuilder()
                .setMessage("forged")
                .setApplicationFailureInfo(
                        ApplicationFailureInfo.newBuilder().setType(type).setNonRetryable(nonRetryable))
                .build();
    }

    @Tag("X31")
    @DisplayName("A worker fails with its own types only, each retried as the type says; undelivered is none of them")
    @ParameterizedTest
    @EnumSource
    void onlyOwnTypesPass(FailureType type) {
        for (boolean nonRetryable : new boolean[] {true, false}) {
            Failure failure = WorkerFailures.of(application(type.code(), nonRetryable));
            if (WORKERS.contains(type)) {
                assertThat(failure.getApplicationFailureInfo().getType()).isEqualTo(type.code());
                assertThat(failure.getApplicationFailureInfo().getNonRetryable())
                        .isEqualTo(type.failure("").isNonRetryable());
            } else {
                assertIsWorkers(failure);
            }
        }
    }

    @Test
    void unknownTypeIsWorkersFailure() {
        assertIsWorkers(WorkerFailures.of(application("java.io.IOException", true)));
        assertIsWorkers(WorkerFailures.of(application("", false)));
    }
}
