package dev.berth.acceptance.verify;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that is looked at.
 *
 * @param at when it was gathered
 * @param orders by PostgreSQL's word
 * @param workflows by Temporal's word
 * @param freezes in which lateness and repeats are no breach
 */
record Evidence(
        Instant at,
        List<BerthOrder> orders,
        Map<OrderId, OrderWorkflow> workflows,
        VenueRecord venue,
        SecretSearch.Searched secrets,
        List<Freeze> freezes) {

    Evidence {
        orders = List.copyOf(orders);
        workflows = Map.copyOf(workflows);
        freezes = List.copyOf(freezes);
    }

    Optional<OrderWorkflow> workflow(OrderId id) {
        return Optional.ofNullable(workflows.get(id));
    }

    boolean isTolerated(Arrival sent) {
        return freezes.stream().anyMatch(freeze -> freeze.covers(sent));
    }

    /** Orders by the key that the venue has them under. */
    Map<VenueRecord.Key, BerthOrder> ordersByKey() {
        Map<VenueRecord.Key, BerthOrder> byKey = new HashMap<>();
        orders.forEach(order -> byKey.put(venue.keyOf(order), order));
        return byKey;
    }

    /** What is about these users. */
    Evidence about(Set<String> users) {
        List<BerthOrder> theirs = orders.stream()
                .filter(order -> users.contains(order.id().user()))
                .toList();
        Set<String> accounts =
                theirs.stream().map(order -> venue.keyOf(order).account()).collect(Collectors.toSet());
        accounts.addAll(users);
        Map<OrderId, OrderWorkflow> their = workflows.entrySet().stream()
                .filter(workflow -> users.contains(workflow.getKey().user()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Evidence(at, theirs, their, venue.of(accounts), secrets, freezes);
    }

    /** Orders that have time left, and are not yet where they rest; nobody can say yet how they end. */
    long underWay() {
        return orders.stream()
                .filter(order -> order.isUnanswered() && at.isBefore(order.deadline()))
                .count();
    }
}
