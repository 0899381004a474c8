package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;

/** An order and its user. */
record FleetOrder(UserId userId, @JsonUnwrapped OrderView order) {
    static FleetOrder of(OrderState order) {
        return new FleetOrder(order.request().userId(), OrderView.of(order));
    }
}
