package dev.berth.activities.maintenance;

import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderState;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.common.converter.DataConverterException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * An open order whose workflow was deleted or aborted, for example by hand, so that no workflow
 * follows the order at the venue. The workflow is started again, from the order's row. When the
 * workflow has completed, the row is what is old, such as after a restore, and is written.
 */
record OrderWithoutWorkflow(
        AbandonedOrders abandoned,
        OrderWorkflowClient orders,
        BiFunction<UserId, ClientOrderId, Optional<OrderState>> readModel,
        OrderRecords records,
        InstantSource clock)
        implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.ORDER_WITHOUT_WORKFLOW;
    }

    /** An aborted run is direct proof; a missing one is not, since visibility is late. */
    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        Stream<DriftObservation> aborted =
                fleet.abandoned().stream().map(order -> DriftObservation.proven(drift(order)));
        Stream<DriftObservation> deleted = fleet.recorded().openOrders().stream()
                .filter(order -> !fleet.abandoned().contains(order))
                .map(order -> DriftObservation.suspected(drift(order)));
        return Stream.concat(aborted, deleted).toList();
    }

    private Drift drift(OrderId order) {
        return new Drift(kind(), order.userId(), order.clientOrderId().value(), 0);
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        ClientOrderId id = new ClientOrderId(drift.subject());
        Optional<WorkflowExecutionDescription> latest = orders.describe(user, id);
        if (latest.isPresent() && !OrderWorkflowClient.isAborted(latest.get())) {
            return OrderWorkflowClient.isRunning(latest.get()) ? Result.RESOLVED : writeEnd(user, id);
        }
        Optional<WorkflowExecution> aborted = latest.map(WorkflowExecutionDescription::getExecution);
        // A terminated run cannot be queried.
        Optional<OrderState> order = readModel.apply(user, id).or(() -> aborted.flatMap(run -> input(run, user, id)));
        boolean isRestarted = order.filter(known -> !known.status().isFinal())
                .filter(open -> orders.restart(open.adopted(now())))
                .isPresent();
        aborted.ifPresent(abandoned::settle);
        return isRestarted ? Result.HEALED : Result.RESOLVED;
    }

    private Result writeEnd(UserId user, ClientOrderId id) {
        Optional<OrderState> row =
                readModel.apply(user, id).filter(known -> !known.status().isFinal());
        Optional<OrderState> end = row.flatMap(_ -> orders.state(user, id))
                .filter(known -> known.status().isFinal())
                .map(known -> known.inPlaceOf(row.orElseThrow()));
        end.ifPresent(known -> records.record(user, id, List.of(known), List.of(), HistoryPosition.OUTSIDE));
        return end.isPresent() ? Result.HEALED : Result.RESOLVED;
    }

    /** Empty when the run was started by hand with something else, such as another order. */
    private Optional<OrderState> input(WorkflowExecution run, UserId user, ClientOrderId id) {
        try {
            return Optional.ofNullable(orders.input(run))
                    .filter(order -> order.request().userId().equals(user)
                            && order.request().clientOrderId().equals(id));
        } catch (DataConverterException noOrder) {
            return Optional.empty();
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
