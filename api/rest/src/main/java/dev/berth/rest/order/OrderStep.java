package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;

/**
 * One step of an order, with the order after it.
 *
 * @param revision grows with every step; the id of the event in a live log
 * @param at when it happened
 */
record OrderStep(int revision, Instant at, @JsonUnwrapped OrderView order) {
    static OrderStep of(OrderState order) {
        return new OrderStep(order.revision(), order.changedAt(), OrderView.of(order));
    }
}
