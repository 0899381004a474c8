package dev.berth.activities.maintenance;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.filled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.Samples;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.OrderWorkflowOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OrderWithoutWorkflowTest {
    private static final OrderRequest REQUEST = Samples.order(ALICE, "o-1", NOON);
    private static final OrderState ACCEPTED = OrderState.accepted(REQUEST);
    private static final Drift DRIFT = new Drift(DriftKind.ORDER_WITHOUT_WORKFLOW, ALICE, "o-1", 0);

    private TestWorkflowEnvironment temporal;
    private @Nullable OrderState row;

    @BeforeEach
    void start() {
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder();
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        temporal = TestWorkflowEnvironment.newInstance(options.build());
    }

    @AfterEach
    void close() {
        temporal.close();
    }

    private WorkflowClient client() {
        return temporal.getWorkflowClient();
    }

    /** Nobody works on it here. */
    private WorkflowStub order() {
        WorkflowStub order = client().newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderWorkflowOptions.first(REQUEST));
        order.start(ACCEPTED);
        return order;
    }

    private Healed heal() {
        return new OrderWithoutWorkflow(
                        new Workflows(client(), () -> NOON), (_, _) -> Optional.ofNullable(row), () -> NOON)
                .heal(DRIFT);
    }

    private OrderState begun() {
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

    @DisplayName("E8 X3 an order whose workflow was terminated begins again as unknown, from what is written of it")
    @Test
    void fromItsRow() {
        row = ACCEPTED.attempted(NOON);
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Healed.DONE);
        assertThat(begun().status()).isEqualTo(OrderStatus.UNKNOWN);
        assertThat(begun().attempts()).isEqualTo(1);
        assertThat(begun().revision()).isEqualTo(row.revision() + 1);
        assertThat(begun().reason()).asString().startsWith("internal: adopted: ");
    }

    @DisplayName("E8 nothing was written of it yet: it begins again from what its workflow was given")
    @Test
    void fromItsInput() {
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Healed.DONE);
        assertThat(begun().request()).isEqualTo(REQUEST);
        assertThat(begun().status()).isEqualTo(OrderStatus.UNKNOWN);
    }

    @DisplayName("X1 one that the venue has answered goes on as it was")
    @Test
    void answered() {
        row = ACCEPTED.attempted(NOON).reported(Samples.report(0, OrderStatus.PARTIALLY_FILLED, "4", NOON));
        order().terminate("by hand");
        assertThat(heal()).isEqualTo(Healed.DONE);
        assertThat(begun().status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
        assertThat(begun().reason()).asString().startsWith("internal: adopted: ");
    }

    @DisplayName("E8 one that runs, such as after the sweep before, is left alone; so is one that is over")
    @Test
    void gone() {
        WorkflowStub order = order();
        assertThat(heal()).isEqualTo(Healed.GONE);
        row = ACCEPTED.reported(filled());
        order.terminate("by hand");
        assertThat(heal()).isEqualTo(Healed.GONE);
        row = null;
        assertThat(begun()).as("not started again").isEqualTo(ACCEPTED);
    }
}
