package dev.berth.activities.maintenance;

import dev.berth.activities.temporal.OrderGateway;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.OrderState;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowExecutionDescription;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * An open order whose workflow is closed, for example after a manual termination, so that no
 * workflow follows the order at the venue. The workflow is started again.
 */
record OrderWithoutWorkflow(
        AbandonedOrders abandoned,
        OrderGateway orders,
        BiFunction<UserId, ClientOrderId, Optional<OrderState>> readModel,
        InstantSource clock)
        implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.ORDER_WITHOUT_WORKFLOW;
    }

    /** The closed run is direct proof; the heal checks for a later run. */
    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.abandoned().stream()
                .map(order ->
                        new Drift(kind(), order.userId(), order.clientOrderId().value(), 0))
                .map(DriftObservation::proven)
                .toList();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        ClientOrderId id = new ClientOrderId(drift.subject());
        Optional<WorkflowExecution> closed = orders.describe(user, id)
                .filter(latest -> !OrderGateway.isRunning(latest))
                .map(WorkflowExecutionDescription::getExecution);
        if (closed.isEmpty()) {
            return Result.RESOLVED;
        }
        // A terminated run cannot be queried.
        OrderState order = readModel.apply(user, id).orElseGet(() -> orders.input(closed.get()));
        boolean isRestarted = !order.status().isFinal() && orders.restart(order.adopted(now()));
        abandoned.settle(closed.get());
        return isRestarted ? Result.HEALED : Result.RESOLVED;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
