package dev.berth.workflows.account;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.PAPER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.TimeoutFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads of an account and cancels by the venue's id, in the workflow. */
@Tag("T1")
class AccountCallTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);

    private final InMemoryServer server = new InMemoryServer();
    private final Worker worker = new Worker();

    /** Fails as often as it is told, before it answers. */
    private final class Worker extends UnusedAccountControl {
        final List<Instant> calls = new ArrayList<>();
        int failures;
        FailureType how = FailureType.NO_SESSION;

        @Override
        public Instant read(AccountKey account) {
            answerOrFail();
            return NOON;
        }

        @Override
        public CancelVenueOrderOutcome cancel(AccountKey account, String venueOrderId) {
            answerOrFail();
            return venueOrderId.equals("v-1") ? CancelVenueOrderOutcome.REQUESTED : CancelVenueOrderOutcome.ABSENT;
        }

        private void answerOrFail() {
            calls.add(server.now());
            if (calls.size() <= failures) {
                throw how.failure("not now");
            }
        }
    }

    private void start(boolean withWorker) {
        server.worker(TaskQueues.ORDERS)
                .registerWorkflowImplementationTypes(ReadAccountWorkflowImpl.class, CancelVenueOrderWorkflowImpl.class);
        if (withWorker) {
            server.worker(TaskQueues.controlOf(ALICE)).registerActivitiesImplementations(worker);
        }
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Instant read() {
        return read(WITHIN);
    }

    private Instant read(Duration within) {
        return server.workflow(ReadAccountWorkflow.class, WorkflowIds.readAccount(ALICE, PAPER), TaskQueues.ORDERS)
                .run(ALICE, PAPER, within);
    }

    @DisplayName("A worker whose session is not open yet is asked again within a second, until it answers")
    @Test
    void waitsForSession() {
        worker.failures = 6;
        start(true);
        assertThat(read()).isEqualTo(NOON);
        assertThat(worker.calls).hasSize(7);
        assertThat(Duration.between(worker.calls.get(5), worker.calls.get(6)))
                .isLessThanOrEqualTo(Duration.ofMillis(1_100));
    }

    @DisplayName("What another call would not change ends the reading at once")
    @Test
    void budgetEndsReading() {
        worker.failures = 1;
        worker.how = FailureType.REQUEST_BUDGET;
        start(true);
        WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, this::read);
        assertThat(failed).rootCause().matches(FailureType.REQUEST_BUDGET::isOf, "request-budget");
        assertThat(worker.calls).hasSize(1);
    }

    @DisplayName("Without a worker the reading ends after the time that its caller gave")
    @Test
    void endsWithoutWorker() {
        start(false);
        Duration within = Duration.ofSeconds(1);
        WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, () -> read(within));
        assertThat(failed)
                .rootCause()
                .isInstanceOfSatisfying(
                        TimeoutFailure.class,
                        // Both are of the same length here, and either may come first.
                        late -> assertThat(late.getTimeoutType())
                                .isIn(
                                        TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE,
                                        TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START));
    }

    @Tag("T2")
    @DisplayName("A cancel by the venue's id is repeated until the venue answers, with what it answers")
    @Test
    void cancelIsRepeated() {
        worker.failures = 2;
        start(true);
        assertThat(cancel("v-1")).isEqualTo(CancelVenueOrderOutcome.REQUESTED);
        assertThat(worker.calls).hasSize(3);
        assertThat(cancel("v-2")).isEqualTo(CancelVenueOrderOutcome.ABSENT);
    }

    private CancelVenueOrderOutcome cancel(String venueOrderId) {
        String id = WorkflowIds.cancelVenueOrder(ALICE, PAPER, venueOrderId);
        return server.workflow(CancelVenueOrderWorkflow.class, id, TaskQueues.ORDERS)
                .run(ALICE, PAPER, venueOrderId, WITHIN);
    }
}
