package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
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
import org.junit.jupiter.api.Test;

/** The read model follows the order, and never leads it. */
class RecordingTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));

    @Test
    @DisplayName("D11 every step is written once, in its order")
    void stepsInOrder() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = at.end(order);
            assertThat(at.records.statuses())
                    .containsExactly(
                            OrderStatus.PENDING, OrderStatus.NEW, OrderStatus.PARTIALLY_FILLED, OrderStatus.FILLED);
            assertThat(at.records.revisions()).containsExactly(1, 2, 3, 4);
            assertThat(at.records.steps.getLast()).isEqualTo(end);
        }
    }

    @Test
    void anOrderIsSentWhileTheReadModelIsAwayAndDoesNotEndBeforeItIsBack() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.records.reachable.usual(() -> {
                throw new IllegalStateException("PostgreSQL is away");
            });
            at.begin(REQUEST);
            await().until(() -> at.orders.calls.size() == 1);
            await().until(() -> at.records.calls.get() >= 3);
            assertThat(at.server
                            .client()
                            .newUntypedWorkflowStub(OrderFixture.id(REQUEST))
                            .describe()
                            .getStatus())
                    .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
            assertThat(at.records.steps).isEmpty();
        }
    }

    @Test
    @DisplayName("E9 an answer leaves the count of active orders though the step before it can not be written yet")
    void newestFirst() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.records.reachable.usual(() -> {
                throw new IllegalStateException("PostgreSQL is away");
            });
            OrderWorkflow order = at.working(REQUEST);
            await().until(() -> at.records.tried.contains(OrderStatus.NEW));
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            await().until(() -> at.records.tried.contains(OrderStatus.FILLED));
            at.records.reachable.usual(() -> true);
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.records.statuses()).containsExactly(OrderStatus.PENDING, OrderStatus.NEW, OrderStatus.FILLED);
        }
    }

    @Test
    @DisplayName("E9 an order that was answered late is written again and again, with pauses, and no larger for it")
    void pausesAfterALateAnswer() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            Instant back = at.server.now().plusSeconds(60);
            at.records.reachable.usual(() -> {
                if (at.server.now().isBefore(back)) {
                    throw new IllegalStateException("PostgreSQL is away");
                }
                return true;
            });
            CompletableFuture<SubmitOutcome> answer = new CompletableFuture<>();
            at.orders.answers.nextFrom(answer);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.records.tried.contains(OrderStatus.PENDING));
            answer.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.server.now()).isAfterOrEqualTo(back);
            assertThat(at.records.statuses()).containsExactly(OrderStatus.PENDING, OrderStatus.FILLED);
            assertThat(at.records.calls).hasValueLessThan(20);
            List<HistoryEvent> history = at.server.history(OrderFixture.id(REQUEST));
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
    @DisplayName(
            "D11 what was noted while the read model was away for minutes is written when it is back, then it ends")
    void awayForMinutes() {
        FakeOrderRecords records = new FakeOrderRecords();
        records.reachable.nextFailures(20, new IllegalStateException("PostgreSQL is away"));
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
            Instant began = OrderProgress.now();
            OrderRecorder recorder = new OrderRecorder(accepted.request());
            OrderState order = accepted.attempted(accepted.changedAt());
            recorder.note(order);
            recorder.write();
            Instant wentOn = OrderProgress.now();
            for (OrderStatus next : new OrderStatus[] {OrderStatus.NEW, OrderStatus.FILLED}) {
                order = order.became(next, null, wentOn);
                recorder.note(order);
                recorder.write();
            }
            recorder.finish();
            return Duration.between(began, wentOn);
        }
    }
}
