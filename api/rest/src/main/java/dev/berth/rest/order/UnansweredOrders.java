package dev.berth.rest.order;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.ActiveOrders.ActiveOrder;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.position.UnansweredOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Orders that were accepted and that the venue has not answered. Redis has them from their
 * admission on, PostgreSQL a little later, and also when Redis lost its data.
 */
@Component
class UnansweredOrders {
    private final ActiveOrders active;
    private final OrderReadModel readModel;
    private final OrderWorkflowClient workflows;

    UnansweredOrders(ActiveOrders active, OrderReadModel readModel, OrderWorkflowClient workflows) {
        this.active = active;
        this.readModel = readModel;
        this.workflows = workflows;
    }

    /**
     * Those of an account.
     *
     * @throws io.temporal.failure.ApplicationFailure when one was admitted and is not started yet
     */
    List<UnansweredOrder> of(UserId userId, AccountKey account) {
        // First, since an order leaves Redis after it was answered, and PostgreSQL after that.
        List<ActiveOrder> admitted = active.of(userId);
        Map<ClientOrderId, OrderState> orders = new LinkedHashMap<>();
        readModel.unanswered(userId).forEach(order -> orders.put(order.request().clientOrderId(), order));
        for (ActiveOrder order : admitted) {
            orders.computeIfAbsent(order.clientOrderId(), id -> state(userId, id));
        }
        return orders.values().stream()
                .filter(order -> order.status().isUnanswered()
                        && order.request().account().equals(account))
                .map(order -> new UnansweredOrder(
                        order.request().clientOrderId(),
                        order.request().symbol(),
                        order.request().side(),
                        order.terms().quantity()))
                .toList();
    }

    private OrderState state(UserId userId, ClientOrderId id) {
        return workflows
                .state(userId, id)
                .or(() -> readModel.find(userId, id))
                .orElseThrow(() -> FailureType.ORDER_NOT_READABLE.failure("order " + id + " is not started yet"));
    }
}
