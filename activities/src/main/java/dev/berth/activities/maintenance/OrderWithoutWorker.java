package dev.berth.activities.maintenance;

import dev.berth.temporal.client.OrderWorkflowClient;
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

/** An open order whose user has no worker, and none is starting. */
record OrderWithoutWorker(HeartbeatKeys heartbeats, OrderWorkflowClient orders, WorkerRequests requests)
        implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.ORDER_WITHOUT_WORKER;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.orders().entrySet().stream()
                .filter(order -> !fleet.heartbeats().containsKey(order.getKey()))
                .filter(order -> isIdle(fleet.lifecycles().get(order.getKey())))
                .map(OrderWithoutWorker::observation)
                .toList();
    }

    private static DriftObservation observation(Map.Entry<UserId, ClientOrderId> order) {
        String id = order.getValue().value();
        return DriftObservation.suspected(new Drift(DriftKind.ORDER_WITHOUT_WORKER, order.getKey(), id, 0));
    }

    /** Null without a lifecycle. A suspended user waits for an operator. */
    private static boolean isIdle(@Nullable WorkerPhase phase) {
        return phase == null || phase == WorkerPhase.TERMINATED || phase == WorkerPhase.FAILED;
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<OrderState> order = orders.stateIfRunning(user, new ClientOrderId(drift.subject()))
                .filter(open -> !open.status().isFinal());
        if (order.isEmpty() || heartbeats.of(user).isPresent()) {
            return Result.RESOLVED;
        }
        WorkerNeed.Why why = order.get().status().isUnanswered() ? WorkerNeed.Why.ORDER : WorkerNeed.Why.WORKING_ORDER;
        requests.ensure(user, new WorkerNeed(order.get().request().account(), why));
        return Result.HEALED;
    }
}
