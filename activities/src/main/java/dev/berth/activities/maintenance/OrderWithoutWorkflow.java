package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.Reason;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An open order whose workflow is over, such as after somebody terminated it: nobody follows it at the venue. Its
 * workflow begins again, with the question how the order stands there.
 */
record OrderWithoutWorkflow(Workflows workflows, OrderRows rows, InstantSource clock) implements DriftRule {
    private static final Reason WHY = FailureCode.REQUEUED.because(
            "Its workflow was ended while the order was open. The sweep started it again, and the venue is being asked."
                    + " An order that is not wanted any more has to be canceled.");

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
        // A run that was terminated can not be queried.
        Optional<OrderState> open = workflows
                .endedOrder(user, id)
                .map(input -> rows.find(user, id).orElse(input))
                .filter(order -> !order.status().isFinal());
        return open.isPresent() && workflows.startAgain(open.get().requeued(WHY, now())) ? Healed.DONE : Healed.GONE;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
