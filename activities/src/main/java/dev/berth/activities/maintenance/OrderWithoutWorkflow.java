package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.OrderState;
import io.temporal.api.common.v1.WorkflowExecution;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An open order whose workflow is over, such as after somebody terminated it: nobody follows it at the venue. Its
 * workflow begins again.
 */
record OrderWithoutWorkflow(Workflows workflows, OrderRows rows, InstantSource clock) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.ORDER_WITHOUT_WORKFLOW;
    }

    /** The index tells of the end of a run, which is no absence; whether another has begun is asked before it is healed. */
    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.abandoned().stream()
                .map(order ->
                        new Drift(kind(), order.userId(), order.clientOrderId().value(), 0))
                .map(Sighting::proven)
                .toList();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        ClientOrderId id = new ClientOrderId(drift.subject());
        Optional<WorkflowExecution> ended = workflows.ended(user, id);
        if (ended.isEmpty()) {
            return Healed.GONE;
        }
        // A run that was terminated can not be queried.
        OrderState order = rows.find(user, id).orElseGet(() -> workflows.input(ended.get()));
        boolean goesOn = !order.status().isFinal() && workflows.startAgain(order.adopted(now()));
        workflows.settle(ended.get());
        return goesOn ? Healed.DONE : Healed.GONE;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
