package dev.berth.workflows.broker;

import java.util.List;

/**
 * Why a broker cannot take an order.
 *
 * @param field of the order that it cannot take
 * @param alternatives the values that it takes instead; empty when they are too many to list
 */
public record UnsupportedOrder(String detail, String field, List<String> alternatives) {
    public UnsupportedOrder {
        alternatives = List.copyOf(alternatives);
    }
}
