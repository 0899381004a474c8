package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static dev.berth.temporal.OrderSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.rest.order.OrderRequeue.Line;
import dev.berth.rest.order.OrderRequeue.RequeueResult;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No worker runs, so that an order that was started again stays as it was started. */
class OrderRequeueTest {
    private static final Reason NOT_TAKEN = FailureCode.NOT_TAKEN.because("No worker took it.");

    /** Recent, since what failed is kept for 14 days only. */
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final OrderReadModel readModel = new OrderReadModel(postgres.client());
    private static final OrdersInAttention attention = new OrdersInAttention(postgres.client());
    private static final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
    private static final TestWorkflowEnvironment server = OrderSamples.temporal(false);
    private static final WorkflowClient temporal = server.getWorkflowClient();

    @AfterAll
    static void stop() {
        server.close();
    }

    private static OrderRequeue requeue(Instant now) {
        return new OrderRequeue(readModel, attention, new OrderWorkflowClient(temporal), records, () -> now);
    }

    private static OrderState accepted(String id, Instant submittedAt) {
        return OrderState.accepted(order(ALICE, id, submittedAt)).attempted(submittedAt);
    }

    private OrderState failed(String id, Reason reason) {
        return recorded(accepted(id, start).became(OrderStatus.FAILED, reason, start.plusSeconds(1)));
    }

    private static OrderState recorded(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                HistoryPosition.OUTSIDE);
        return order;
    }

    private @Nullable String refusal(String id) {
        Line line = requeue(start.plusSeconds(5)).dryRun("alice:" + id);
        assertThat(line.result()).isEqualTo(RequeueResult.REFUSED);
        return line.why();
    }

    @Tag("D7")
    @Tag("X15")
    @DisplayName("A requeued order asks the venue first; its log names operator and reason")
    @Test
    void requeuedOrderAsksVenueFirst() throws Exception {
        OrderState before = accepted("again", start);
        new OrderWorkflowClient(temporal).start(before.request(), false);
        temporal.newUntypedWorkflowStub("order:alice:again").terminate("it failed");
        failed("again", NOT_TAKEN);
        assertThat(attention.count()).isOne();
        Line line = requeue(start.plusSeconds(5)).requeue("alice:again", "olga: the exchange is back");
        assertThat(line).isEqualTo(new Line("alice:again", RequeueResult.REQUEUED, null));
        assertThat(temporal.newUntypedWorkflowStub("order:alice:again")
                        .describe()
                        .getStatus())
                .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
        OrderState now = readModel
                .find(before.request().userId(), before.request().clientOrderId())
                .orElseThrow();
        assertThat(now.status()).isEqualTo(OrderStatus.UNKNOWN);
        assertThat(now.finalAt()).isNull();
        assertThat(String.valueOf(now.reason()))
                .isEqualTo("internal: requeued: Requeued by olga: the exchange is back");
        assertThat(readModel.events(before.request().userId(), before.request().clientOrderId()))
                .extracting(OrderState::status)
                .containsExactly(OrderStatus.FAILED, OrderStatus.UNKNOWN);
        assertThat(attention.count()).isZero();
    }

    @Tag("X15")
    @DisplayName("A dry run changes nothing")
    @Test
    void dryRunChangesNothing() {
        OrderState order = failed("dry", NOT_TAKEN);
        assertThat(requeue(start.plusSeconds(5)).dryRun("alice:dry"))
                .isEqualTo(new Line("alice:dry", RequeueResult.WOULD_REQUEUE, null));
        assertThat(readModel.find(order.request().userId(), order.request().clientOrderId()))
                .contains(order);
        assertThat(attention.count()).isOne();
    }

    @Tag("B5")
    @Tag("D7")
    @DisplayName("An order that takes long to requeue does not hold up its neighbour")
    @Test
    void slowOrderHoldsUpNoOther() throws Exception {
        failed("slow", NOT_TAKEN);
        failed("fast", NOT_TAKEN);
        CountDownLatch neighbour = new CountDownLatch(1);
        CompletableFuture<Boolean> overtaken = new CompletableFuture<>();
        OrderRecords slow = new OrderRecords() {
            @Override
            public void record(
                    UserId userId,
                    ClientOrderId id,
                    List<OrderState> steps,
                    List<Execution> executions,
                    HistoryPosition from) {
                if (id.value().equals("slow")) {
                    overtaken.complete(awaits(neighbour));
                }
                records.record(userId, id, steps, executions, from);
                neighbour.countDown();
            }

            @Override
            public @Nullable OrderState read(UserId userId, ClientOrderId id) {
                throw new UnsupportedOperationException("not part of a requeue");
            }

            @Override
            public @Nullable OrderState recordLateReport(UserId userId, ClientOrderId id, ExecutionReport report) {
                throw new UnsupportedOperationException("not part of a requeue");
            }
        };
        List<Line> lines = new OrderRequeue(
                        readModel, attention, new OrderWorkflowClient(temporal), slow, () -> start.plusSeconds(5))
                .requeue(List.of("alice:slow", "alice:fast"), "olga: again");
        assertThat(lines)
                .containsExactly(
                        new Line("alice:slow", RequeueResult.REQUEUED, null),
                        new Line("alice:fast", RequeueResult.REQUEUED, null));
        assertThat(overtaken).isCompletedWithValue(true);
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException cutOff) {
            throw new IllegalStateException(cutOff);
        }
    }

    @Tag("X15")
    @DisplayName("One of two concurrent requeues is refused")
    @Test
    void concurrentRequeueIsRefused() throws Exception {
        failed("twice", NOT_TAKEN);
        OrderRequeue requeue = requeue(start.plusSeconds(5));
        List<CompletableFuture<Line>> both = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        for (CompletableFuture<Line> one : both) {
            Thread.ofVirtual()
                    .start(() -> one.completeAsync(() -> {
                        try {
                            return requeue.requeue("alice:twice", "olga: again");
                        } catch (InterruptedException cutOff) {
                            throw new IllegalStateException(cutOff);
                        }
                    }));
        }
        assertThat(List.of(both.get(0).get().result(), both.get(1).get().result()))
                .containsExactlyInAnyOrder(RequeueResult.REQUEUED, RequeueResult.REFUSED);
    }

    @Tag("X15")
    @DisplayName("A requeue is refused while the order's workflow runs")
    @Test
    void runningWorkflowIsRefused() throws Exception {
        OrderState order = failed("runs", NOT_TAKEN);
        assertThat(new OrderWorkflowClient(temporal).restart(order.requeued(NOT_TAKEN, start)))
                .isTrue();
        Line line = requeue(start.plusSeconds(5)).requeue("alice:runs", "olga: again");
        assertThat(line.result()).isEqualTo(RequeueResult.REFUSED);
        assertThat(line.why()).contains("Its workflow runs");
    }

    @Tag("X15")
    @DisplayName("Expired, answered, unfailed and unretryable orders are refused with a reason")
    @Test
    void unfitOrdersAreRefused() {
        failed("expired", NOT_TAKEN);
        assertThat(requeue(start.plusSeconds(120)).dryRun("alice:expired").why())
                .contains("expired", start.plusSeconds(120).toString());
        recorded(accepted("filled", start).reported(report(0, OrderStatus.FILLED, "10", start)));
        assertThat(refusal("filled")).isEqualTo("It is FILLED, not FAILED.");
        recorded(accepted("pending", start));
        assertThat(refusal("pending")).isEqualTo("It is PENDING, not FAILED.");
        failed("unmended", FailureCode.OUTCOME_UNKNOWN.because("The outcome is unknown."));
        assertThat(refusal("unmended")).contains("A retry does not help", "outcome-unknown");
        assertThat(refusal("nowhere")).isEqualTo("There is no such order.");
        assertThat(requeue(start).dryRun("no order").why()).isEqualTo("There is no such order.");
    }

    @Tag("X15")
    @DisplayName("Requeues are limited to 20 a second")
    @Test
    void requeuesAreRateLimited() throws Exception {
        OrderRequeue requeue = requeue(start);
        Instant begin = Instant.now();
        for (int number = 0; number < 11; number++) {
            requeue.requeue("alice:nowhere", "olga: again");
        }
        assertThat(begin.until(Instant.now(), ChronoUnit.MILLIS)).isGreaterThanOrEqualTo(490);
    }
}
