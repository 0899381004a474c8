package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.ActiveOrders.ActiveOrder;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderResolution;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.Replacement;
import dev.berth.workflows.position.UnansweredOrder;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("T3")
class UnansweredOrdersTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final TestWorkflowEnvironment server = OrderSamples.temporal(false);
    private final OrderWorkflowClient workflows = new OrderWorkflowClient(server.getWorkflowClient());
    private final ActiveOrders active = new ActiveOrders(redis.commands());
    private final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
    private final UnansweredOrders unanswered =
            new UnansweredOrders(active, new OrderReadModel(postgres.client()), workflows);

    @AfterEach
    void stop() {
        server.close();
    }

    private static OrderState accepted(UserId userId, String id) {
        return OrderState.accepted(order(userId, id, Instant.now().truncatedTo(ChronoUnit.MILLIS)));
    }

    private void admit(OrderRequest order) {
        active.add(new ActiveOrder(order.userId(), order.clientOrderId()), Instant.now());
    }

    private void write(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                new HistoryPosition("run-1", 3));
    }

    private List<String> idsOf(AccountKey account) {
        return unanswered.of(ALICE, account).stream()
                .map(UnansweredOrder::clientOrderId)
                .map(ClientOrderId::value)
                .toList();
    }

    @Test
    @DisplayName(
            "An order that PostgreSQL lacks is found by Redis, one that Redis lost by PostgreSQL; another's is not")
    void bothAreAsked() {
        OrderState written = accepted(ALICE, "written");
        write(written.became(OrderStatus.UNKNOWN, null, written.changedAt()));
        OrderState answered = accepted(ALICE, "answered");
        write(answered.dispatched(answered.changedAt()).reported(filled()));
        write(accepted(BOB, "of-bob"));
        active.release(new ActiveOrder(ALICE, new ClientOrderId("written")));
        assertThat(idsOf(ACCOUNT)).containsExactly("written");
        assertThat(idsOf(new AccountKey("alpaca", "equity", Environment.PAPER, "other")))
                .isEmpty();
    }

    @Test
    @DisplayName("An order that only its workflow knows counts with the quantity that it has there")
    void workflowIsAsked() {
        OrderRequest order = accepted(ALICE, "starts").request();
        admit(order);
        server.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(WaitingOrder.class);
        server.start();
        workflows.start(order, false);
        assertThat(unanswered.of(ALICE, ACCOUNT))
                .containsExactly(
                        new UnansweredOrder(order.clientOrderId(), order.symbol(), order.side(), Decimal.of("4")));
    }

    /** An order whose quantity was replaced before a worker took it. */
    public static final class WaitingOrder implements OrderWorkflow {
        private final OrderState order;

        @WorkflowInit
        public WaitingOrder(OrderState order) {
            this.order = order.withTerms(new OrderTerms(Decimal.of("4"), null, null), order.changedAt());
        }

        @Override
        public OrderState run(OrderState accepted) {
            Workflow.await(() -> false);
            return order;
        }

        @Override
        public void report(ExecutionReport report) {}

        @Override
        public void accountRefused(AccountKey account, String why) {}

        @Override
        public void workerMissing() {}

        @Override
        public OrderState cancel() {
            return order;
        }

        @Override
        public OrderState replace(Replacement change) {
            return order;
        }

        @Override
        public void check(Replacement change) {}

        @Override
        public OrderState resolve(OrderResolution resolution) {
            return order;
        }

        @Override
        public void checkResolution(OrderResolution resolution) {}

        @Override
        public OrderState state() {
            return order;
        }
    }

    @Test
    @DisplayName("While an admitted order is not started, there is no answer")
    void notStartedYet() {
        OrderRequest order = accepted(ALICE, "starts").request();
        admit(order);
        ApplicationFailure early = catchThrowableOfType(ApplicationFailure.class, () -> idsOf(ACCOUNT));
        assertThat(early).matches(FailureType.ORDER_NOT_READABLE::isOf, "order-not-readable");
    }
}
