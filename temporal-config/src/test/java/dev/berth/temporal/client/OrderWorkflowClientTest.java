package dev.berth.temporal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowServiceException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrderWorkflowClientTest {

    private static boolean isStartRefused(Status.Code code) {
        return OrderWorkflowClient.isStartRefused(new WorkflowServiceException(
                WorkflowExecution.getDefaultInstance(),
                "OrderWorkflow",
                new StatusRuntimeException(Status.fromCode(code))));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED"})
    @Tag("E6")
    @DisplayName("After a failure that Temporal's client retries, the order may have started")
    void orderMayHaveStarted(Status.Code code) {
        assertThat(isStartRefused(code)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID_ARGUMENT", "PERMISSION_DENIED", "UNAUTHENTICATED", "NOT_FOUND"})
    @Tag("E9")
    @DisplayName("A refused start has started no order")
    void startIsRefused(Status.Code code) {
        assertThat(isStartRefused(code)).isTrue();
    }
}
