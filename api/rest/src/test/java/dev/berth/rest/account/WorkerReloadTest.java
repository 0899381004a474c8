package dev.berth.rest.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.rest.Problem;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerReloadTest {
    private static final UserId ALICE = new UserId("alice");

    @Tag("A8")
    @DisplayName("A worker that could not be told is no success: the change stays, and the caller " + "repeats")
    @Test
    void temporalIsUnavailable() {
        WorkflowServiceStubs unreachable = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs("127.0.0.1:1").build());
        try {
            WorkerReload reload = new WorkerReload(
                    new LifecycleWorkflowClient(WorkflowClient.newInstance(unreachable)), Duration.ofMillis(200));
            assertThatThrownBy(() -> reload.signal(ALICE, PaperAccount.KEY))
                    .isInstanceOfSatisfying(
                            Problem.Refusal.class,
                            refusal -> assertThat(refusal.detail().getType())
                                    .isEqualTo(
                                            Problem.RELOAD_NOT_SENT.detail("").getType()))
                    .hasMessageContaining("Repeat");
        } finally {
            unreachable.shutdownNow();
        }
    }

    @Test
    void whoHasNoLifecycleNeedsNoWord() {
        try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
            WorkerReload reload =
                    new WorkerReload(new LifecycleWorkflowClient(temporal.getWorkflowClient()), Duration.ofSeconds(10));
            assertThatCode(() -> reload.signal(ALICE, PaperAccount.KEY)).doesNotThrowAnyException();
        }
    }
}
