package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.maintenance.MaintenanceWorkflowImpl;
import dev.berth.workflows.order.LateReportWorkflowImpl;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.OrderWorkflowImpl;
import dev.berth.workflows.order.Replacement;
import dev.berth.workflows.order.VenueReport;
import dev.berth.workflows.pool.PoolWorkflowImpl;
import dev.berth.workflows.worker.WorkerLifecycleWorkflowImpl;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What ran yesterday goes on with today's code. New histories:
 * {@code mvn test -pl workflows -Dtest='*HistoryRecorder' -Dberth.record-histories=true}.
 */
class RecordedHistoriesTest {
    @Test
    @DisplayName("X12 a recorded order replays: declined, lost, found, filled in part, canceled")
    void order() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/order.json", OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 an order whose replacement was rejected, and that nobody could cancel for long, replays")
    void orderThatWasReplaced() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/order-replaced.json", OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X3 an order that was reset after its deadline replays: the venue was asked, and had it")
    void orderThatWasReset() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/order-reset.json", OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 an order that could not be written for a while, and was answered meanwhile, replays")
    void orderThatWasWrittenAgain() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/order-rewritten.json", OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    /** It is of a real server and a build that left the pauses to the SDK; it can not be made again. */
    @Test
    @DisplayName("X12 an order of an earlier build that could not be written for a while replays")
    void orderThatWasNotWritten() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/order-unwritten.json", OrderWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a recorded worker replays: claim unanswered, launched, killed, replaced, stopped")
    void worker() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a worker that kept no mark and was replaced, and a stranger that was stopped, replay")
    void workerThatWasDoubted() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker-doubted.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a worker whose processes said that they serve, one of them only when it was asked, replays")
    void workerThatAttached() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker-attached.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName(
            "X12 a worker whose process fell silent while its session was being opened, and that was replaced, replays")
    void workerThatFellSilent() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker-silent.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a worker whose mark ran out while it was being asked, and that was replaced, replays")
    void workerThatDiedWhileAsked() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker-dead-while-asked.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a recorded pool replays: no room, filled, a death made up for, one that hung, held, shrunk")
    void pool() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/pool.json", PoolWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a recorded worker replays: cold, stopped as idle, started again, suspended")
    void idleWorker() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/worker-idle.json", WorkerLifecycleWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a recorded late report replays: booked at the second attempt, told once more")
    void lateReport() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/late-report.json", LateReportWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 a recorded sweep replays: looked, one batch healed, one failed, told")
    void maintenance() {
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecutionFromResource(
                        "histories/maintenance.json", MaintenanceWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("X12 code that would do something else than the history says is refused")
    void otherCode() {
        assertThatThrownBy(() ->
                        WorkflowReplayer.replayWorkflowExecutionFromResource("histories/order.json", SleepyOrder.class))
                .hasMessageContaining("EVENT_TYPE_ACTIVITY_TASK_SCHEDULED does not match");
    }

    /** Sleeps where the recorded order was sent. */
    public static final class SleepyOrder implements OrderWorkflow {
        @Override
        public OrderState run(OrderState order) {
            Workflow.sleep(Duration.ofSeconds(1));
            return order;
        }

        @Override
        public void report(VenueReport report) {}

        @Override
        public OrderState cancel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public OrderState replace(Replacement change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void check(Replacement change) {}

        @Override
        public OrderState state() {
            throw new UnsupportedOperationException();
        }
    }
}
