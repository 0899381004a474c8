package dev.berth.activities.maintenance;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.maintenance.DriftRule.Result;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderWithoutWorkflowTest {
    private static final OrderRequest REQUEST = OrderSamples.order(ALICE, "o-1", NOON);
    private static final OrderState ACCEPTED = OrderState.accepted(REQUEST);
    private static final Drift DRIFT = new Drift(DriftKind.ORDER_WITHOUT_WORKFLOW, ALICE, "o-1", 0);

    /** An order's workflow that has nothing to do. */
    @WorkflowInterface
    public interface OrderSample {
        @WorkflowMethod(name = OrderWorkflow.TYPE)
        OrderState run(OrderState order);

        @QueryMethod
        OrderState state();

        /** Filled at once. */
        final class Filled implements OrderSample {
            private OrderState state = ACCEPTED;

            @Override
            public OrderState run(OrderState order) {
                state = order.reported(filled());
                return state;
            }

            @Override
            public OrderState state() {
                return state;
            }
        }

        /**
         * In the status of its input, until it is canceled. A canceled run closes as such, also
         * where it would continue as new.
         */
        final class Canceled implements OrderSample {
            private OrderState state = ACCEPTED;

            @Override
            public OrderState run(OrderState order) {
                state = order;
                Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ORDER_STATUS.valueSet(
                        state.status().name()));
                CancellationScope.current().getCancellationRequest().get();
                Workflow.continueAsNew(order);
                return state;
            }

            @Override
            public OrderState state() {
                return state;
            }
        }
    }

    private final List<OrderState> written = new ArrayList<>();
    private final OrderRecords records = new OrderRecords() {
        @Override
        public void record(
                UserId user, ClientOrderId id, List<OrderState> steps, List<Execution> fills, HistoryPosition from) {
            written.addAll(steps);
        }

        @Override
        public @Nullable OrderState read(UserId user, ClientOrderId id) {
            throw new AssertionError("a workflow alone reads");
        }

        @Override
        public @Nullable OrderState recordLateReport(UserId user, ClientOrderId id, ExecutionReport report) {
            throw new AssertionError("no report came");
        }
    };
    private TestWorkflowEnvironment temporal;
    private @Nullable OrderState row;

    @BeforeEach
    void start() {
        temporal = OrderSamples.temporal(true);
    }

    @AfterEach
    void close() {
        temporal.close();
    }

    private WorkflowClient client() {
        return temporal.getWorkflowClient();
    }

    /** Without a worker for its task queue. */
    private WorkflowStub order() {
        WorkflowStub order = client().newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderPolicies.start(REQUEST));
        order.start(ACCEPTED);
        return order;
    }

    private Result heal() {
        OrderWorkflowClient orders = new OrderWorkflowClient(client());
        return new OrderWithoutWorkflow(
                        new AbandonedOrders(orders), orders, (_, _) -> Optional.ofNullable(row), records, () -> NOON)
                .heal(DRIFT);
    }

    private OrderState restarted() {
        return DefaultDataConverter.STANDARD_INSTANCE.fromPayloads(
                0,
                Optional.of(client().fetchHistory(WorkflowIds.order(ALICE, new ClientOrderId("o-1")))
                        .getEvents()
                        .getFirst()
                        .getWorkflowExecutionStartedEventAttributes()
                        .getInput()),
                OrderState.class,
                OrderState.class);
    }

    @Tag("E8")
    @Tag("X3")
    @DisplayName("An order with a terminated workflow restarts as unknown, from its row")
    @Test
    void restartsFromRow() {
        row = ACCEPTED.attempted(NOON);
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(restarted().status()).isEqualTo(OrderStatus.UNKNOWN);
        assertThat(restarted().attempts()).isEqualTo(1);
        assertThat(restarted().revision()).isEqualTo(row.revision() + 1);
        assertThat(restarted().reason()).asString().startsWith("internal: adopted: ");
    }

    @Tag("E8")
    @DisplayName("An order without a row restarts from the input of its workflow")
    @Test
    void restartsFromInput() {
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(restarted().request()).isEqualTo(REQUEST);
        assertThat(restarted().status()).isEqualTo(OrderStatus.UNKNOWN);
    }

    @Tag("E8")
    @Tag("X6")
    @DisplayName("An order with a deleted workflow restarts from its row, and without a row not at all")
    @Test
    void restartsDeletedOrder() {
        assertThat(heal()).isEqualTo(Result.RESOLVED);
        row = ACCEPTED.reported(OrderSamples.report(0, OrderStatus.NEW, "0", NOON));
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(restarted().status()).isEqualTo(OrderStatus.NEW);
        assertThat(heal()).as("its workflow runs").isEqualTo(Result.RESOLVED);
    }

    @Tag("E8")
    @Tag("X28")
    @DisplayName("A completed workflow ended the order, and its end takes the place of an older row")
    @Test
    void completedOrderIsNotRestarted() {
        temporal.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(OrderSample.Filled.class);
        temporal.start();
        row = ACCEPTED.attempted(NOON).attempted(NOON).attempted(NOON);
        OrderState end = ACCEPTED.reported(filled());
        assertThat(order().getResult(OrderState.class)).isEqualTo(end);
        assertThat(end.revision()).isLessThan(row.revision());
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(written).containsExactly(end.inPlaceOf(row));
        assertThat(written.getFirst().status()).isEqualTo(OrderStatus.FILLED);
        assertThat(written.getFirst().revision()).isGreaterThan(row.revision());
        row = written.getFirst();
        assertThat(heal()).isEqualTo(Result.RESOLVED);
    }

    @Tag("E8")
    @Tag("X12")
    @DisplayName("An order whose workflow was canceled and has not ended restarts, one that has ended does not")
    @Test
    void openOrderOfCanceledWorkflowRestarts() {
        temporal.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(OrderSample.Canceled.class);
        temporal.start();
        row = ACCEPTED.attempted(NOON);
        cancel(row);
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(restarted().status()).isEqualTo(OrderStatus.UNKNOWN);
        client().newUntypedWorkflowStub(WorkflowIds.order(ALICE, new ClientOrderId("o-1")))
                .terminate("to begin again");
        OrderState end = row.reported(filled());
        cancel(end);
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(written).as("the end is recorded").hasSize(1);
        assertThat(restarted()).as("not started again").isEqualTo(end);
    }

    private void cancel(OrderState state) {
        WorkflowStub order = client().newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderPolicies.startAgain(state));
        order.start(state);
        order.cancel();
        assertThatThrownBy(() -> order.getResult(Object.class)).hasCauseInstanceOf(CanceledFailure.class);
    }

    @Tag("X31")
    @DisplayName("A workflow that was started by hand with something else is no order")
    @Test
    void nonsenseIsNoOrder() {
        WorkflowStub order = client().newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderPolicies.start(REQUEST));
        order.start("nonsense");
        order.terminate("by hand");
        assertThat(heal()).isEqualTo(Result.RESOLVED);
    }

    @Tag("X31")
    @Tag("B1")
    @DisplayName("A workflow that was started by hand with the input of another order starts neither again")
    @Test
    void anothersInputIsNoOrder() {
        OrderState another = OrderState.accepted(OrderSamples.order(ALICE, "o-2", NOON));
        WorkflowStub order = client().newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderPolicies.start(REQUEST));
        order.start(another);
        order.terminate("by hand");
        assertThat(heal()).isEqualTo(Result.RESOLVED);
        assertThat(new OrderWorkflowClient(client())
                        .describe(ALICE, another.request().clientOrderId()))
                .isEmpty();
    }

    @Tag("X1")
    @DisplayName("An answered order keeps its status")
    @Test
    void answeredOrderKeepsStatus() {
        row = ACCEPTED.attempted(NOON).reported(OrderSamples.report(0, OrderStatus.PARTIALLY_FILLED, "4", NOON));
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Result.HEALED);
        assertThat(restarted().status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
        assertThat(restarted().reason()).asString().startsWith("internal: adopted: ");
    }

    @Tag("E8")
    @DisplayName("A running or final order is not restarted")
    @Test
    void runningOrFinalOrderIsResolved() {
        WorkflowStub order = order();
        assertThat(heal()).isEqualTo(Result.RESOLVED);
        row = ACCEPTED.reported(filled());
        order.terminate("by hand");
        assertThat(heal()).isEqualTo(Result.RESOLVED);
        row = null;
        assertThat(restarted()).as("not started again").isEqualTo(ACCEPTED);
    }
}
