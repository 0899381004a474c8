package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerRequests;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An order that waits, or works at the venue, while no worker of its user is there or on its way. */
record OrderWithoutWorker(Marks marks, Workflows workflows, WorkerRequests requests) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.ORDER_WITHOUT_WORKER;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.orders().entrySet().stream()
                .filter(order -> !fleet.marks().containsKey(order.getKey()))
                .filter(order -> isIdle(fleet.lifecycles().get(order.getKey())))
                .map(OrderWithoutWorker::sighting)
                .toList();
    }

    private static Sighting sighting(Map.Entry<UserId, ClientOrderId> order) {
        String id = order.getValue().value();
        return Sighting.absent(new Drift(DriftKind.ORDER_WITHOUT_WORKER, order.getKey(), id, 0));
    }

    /** Null: there is no lifecycle. Whoever is suspended waits for a person. */
    private static boolean isIdle(@Nullable WorkerPhase phase) {
        return phase == null || phase == WorkerPhase.TERMINATED || phase == WorkerPhase.FAILED;
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<OrderState> order = workflows
                .order(user, new ClientOrderId(drift.subject()))
                .filter(open -> !open.status().isFinal());
        if (order.isEmpty() || marks.of(user).isPresent()) {
            return Healed.GONE;
        }
        WorkerNeed.Why why = order.get().status().isUnanswered() ? WorkerNeed.Why.ORDER : WorkerNeed.Why.WORKING_ORDER;
        requests.ensure(user, new WorkerNeed(order.get().request().account(), why));
        return Healed.DONE;
    }
}
