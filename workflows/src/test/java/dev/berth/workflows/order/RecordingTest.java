package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowTasks;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.MarkerRecordedEventAttributes;
import io.temporal.client.WorkflowClient;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The read model follows the order, and never leads it. */
class RecordingTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));

    @Test
    @Tag("D11")
    @DisplayName("Every step is written once, in its order")
    void stepsInOrder() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = fixture.end(order);
            assertThat(fixture.records.statuses())
                    .containsExactly(
                            OrderStatus.PENDING,
                            OrderStatus.DISPATCHED,
                            OrderStatus.NEW,
                            OrderStatus.PARTIALLY_FILLED,
                            OrderStatus.FILLED);
            assertThat(fixture.records.revisions()).containsExactly(1, 2, 3, 4, 5);
            assertThat(fixture.records.steps.getLast()).isEqualTo(end);
        }
    }

    @Test
    @Tag("D11")
    @DisplayName("A worker that sends nothing, and the next attempt, are steps of their own")
    void declineIsLogged() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED));
            fixture.run(REQUEST);
            assertThat(fixture.records.steps)
                    .extracting(step -> step.status() + " " + step.attempts() + " "
                            + (step.reason() == null ? "" : step.reason().code()))
                    .containsExactly("PENDING 1 ", "PENDING 1 declined", "PENDING 2 ", "DISPATCHED 2 ", "FILLED 2 ");
        }
    }

    @Test
    void anOrderIsSentWhileTheReadModelIsUnavailableAndDoesNotEndBeforeItIsBack() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.records.reachable.usual(() -> {
                throw new IllegalStateException("PostgreSQL is unavailable");
            });
            fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            await().until(() -> fixture.records.calls.get() >= 3);
            assertThat(fixture.server
                            .client()
                            .newUntypedWorkflowStub(OrderFixture.id(REQUEST))
                            .describe()
                            .getStatus())
                    .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
            assertThat(fixture.records.steps).isEmpty();
        }
    }

    @Test
    @Tag("E9")
    @DisplayName("An answer leaves the count of active orders though the step before it cannot be " + "written yet")
    void answeredOrderLeavesActiveCount() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.records.reachable.usual(() -> {
                throw new IllegalStateException("PostgreSQL is unavailable");
            });
            OrderWorkflow order = fixture.working(REQUEST);
            await().until(() -> fixture.records.tried.contains(OrderStatus.NEW));
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            await().until(() -> fixture.records.tried.contains(OrderStatus.FILLED));
            fixture.records.reachable.usual(() -> true);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.DISPATCHED, OrderStatus.NEW, OrderStatus.FILLED);
        }
    }

    @Test
    @Tag("E9")
    @DisplayName("An order that was answered late is written again and again, with pauses, and no " + "larger for it")
    void pausesAfterALateAnswer() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            Instant back = fixture.server.now().plusSeconds(60);
            fixture.records.reachable.usual(() -> {
                if (fixture.server.now().isBefore(back)) {
                    throw new IllegalStateException("PostgreSQL is unavailable");
                }
                return true;
            });
            CompletableFuture<SubmitOutcome> answer = new CompletableFuture<>();
            fixture.orders.answers.nextFrom(answer);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.records.tried.contains(OrderStatus.PENDING));
            answer.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.server.now()).isAfterOrEqualTo(back);
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.DISPATCHED, OrderStatus.FILLED);
            assertThat(fixture.records.calls).hasValueLessThan(20);
            List<HistoryEvent> history = fixture.server.history(OrderFixture.id(REQUEST));
            // The answer cut one pause short.
            assertThat(pauses(history)).filteredOn(canceled(history)::contains).hasSize(1);
            assertThat(history.stream()
                            .map(HistoryEvent::getMarkerRecordedEventAttributes)
                            .filter(MarkerRecordedEventAttributes::hasFailure)
                            .map(failed -> failed.getDetailsMap().keySet()))
                    .isNotEmpty()
                    .allSatisfy(details -> assertThat(details).doesNotContain("input"));
        }
    }

    private static List<String> pauses(List<HistoryEvent> history) {
        return history.stream()
                .filter(event -> event.getUserMetadata()
                        .getSummary()
                        .getData()
                        .toStringUtf8()
                        .contains("write again"))
                .map(event -> event.getTimerStartedEventAttributes().getTimerId())
                .toList();
    }

    private static Set<String> canceled(List<HistoryEvent> history) {
        return history.stream()
                .map(event -> event.getTimerCanceledEventAttributes().getTimerId())
                .filter(timer -> !timer.isEmpty())
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("D11")
    @DisplayName("What was noted while the read model was unavailable for minutes is written when it is "
            + "back, then it ends")
    void awayForMinutes() {
        FakeOrderRecords records = new FakeOrderRecords();
        records.reachable.nextFailures(20, new IllegalStateException("PostgreSQL is unavailable"));
        try (InMemoryServer server = new InMemoryServer()) {
            var worker = server.worker("recorder");
            worker.registerWorkflowImplementationTypes(NotesThreeImpl.class);
            worker.registerActivitiesImplementations(records);
            server.start();
            NotesThree workflow = server.workflow(NotesThree.class, "recorder", "recorder");
            WorkflowClient.start(workflow::run, OrderState.accepted(REQUEST));
            assertThat(server.result(workflow, Duration.class))
                    .as("until it went on")
                    .isZero();
            assertThat(server.now()).isAfter(InMemoryServer.OPEN.plusSeconds(100));
            assertThat(records.revisions()).containsExactly(1, 2, 3);
        }
    }

    /** A story that notes three steps. */
    @WorkflowInterface
    public interface NotesThree {
        /** Answers how long it waited after the first step. */
        @WorkflowMethod
        Duration run(OrderState order);
    }

    /** It writes after the first step, and waits for the writing only at its end. */
    public static final class NotesThreeImpl implements NotesThree {
        @Override
        public Duration run(OrderState accepted) {
            Instant began = WorkflowTasks.now();
            OrderRecorder recorder = new OrderRecorder(accepted.request());
            OrderState order = accepted.attempted(accepted.changedAt());
            recorder.add(order);
            recorder.write();
            Instant wentOn = WorkflowTasks.now();
            for (OrderStatus next : new OrderStatus[] {OrderStatus.NEW, OrderStatus.FILLED}) {
                order = order.became(next, null, wentOn);
                recorder.add(order);
                recorder.write();
            }
            recorder.awaitWritten();
            return Duration.between(began, wentOn);
        }
    }
}
