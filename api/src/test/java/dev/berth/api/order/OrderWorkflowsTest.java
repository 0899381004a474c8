package dev.berth.api.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowServiceException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrderWorkflowsTest {

    private static boolean isSurelyNotStarted(Status.Code code) {
        return OrderWorkflows.isSurelyNotStarted(new WorkflowServiceException(
                WorkflowExecution.getDefaultInstance(),
                "OrderWorkflow",
                new StatusRuntimeException(Status.fromCode(code))));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED"})
    @DisplayName("E6 a start may have happened after any failure that Temporal's client repeats, throttling among them")
    void mayHaveStarted(Status.Code code) {
        assertThat(isSurelyNotStarted(code)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID_ARGUMENT", "PERMISSION_DENIED", "UNAUTHENTICATED", "NOT_FOUND"})
    @DisplayName("E9 a start that Temporal refuses leaves the count of active orders at once")
    void refused(Status.Code code) {
        assertThat(isSurelyNotStarted(code)).isTrue();
    }
}
