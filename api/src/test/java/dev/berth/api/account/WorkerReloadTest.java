package dev.berth.api.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.api.Problem;
import dev.berth.temporal.TemporalConnection;
import dev.berth.workflows.UserId;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkerReloadTest {
    private static final UserId ALICE = new UserId("alice");

    @DisplayName("A8 a worker that could not be told is no success: the change stays, and the caller repeats")
    @Test
    void temporalIsAway() {
        WorkflowServiceStubs nobody =
                WorkflowServiceStubs.newServiceStubs(TemporalConnection.stubs(WorkflowServiceStubsOptions.newBuilder())
                        .setTarget("127.0.0.1:1")
                        .build());
        try {
            WorkerReload reload = new WorkerReload(WorkflowClient.newInstance(nobody), Duration.ofMillis(200));
            assertThatThrownBy(() -> reload.tell(ALICE, PaperAccount.KEY))
                    .isInstanceOfSatisfying(
                            Problem.Refusal.class,
                            refusal -> assertThat(refusal.detail().getType())
                                    .isEqualTo(
                                            Problem.RELOAD_NOT_SENT.detail("").getType()))
                    .hasMessageContaining("Repeat");
        } finally {
            nobody.shutdownNow();
        }
    }

    @Test
    void whoHasNoLifecycleNeedsNoWord() {
        try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
            WorkerReload reload = new WorkerReload(temporal.getWorkflowClient(), Duration.ofSeconds(10));
            assertThatCode(() -> reload.tell(ALICE, PaperAccount.KEY)).doesNotThrowAnyException();
        }
    }
}
