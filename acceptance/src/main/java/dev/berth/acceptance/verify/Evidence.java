package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The data that the promises are checked against.
 *
 * @param at the time of the read
 * @param orders the orders in PostgreSQL
 * @param archived the orders that left PostgreSQL for the archive
 * @param workflows the orders in Temporal
 * @param reported what Berth shows of default accounts, by key id
 * @param recorded what Berth's executions, fees and activities of default accounts add up to
 * @param freezes the times in which late and repeated submissions are tolerated
 */
record Evidence(
        Instant at,
        List<BerthOrder> orders,
        Set<OrderReference> archived,
        Map<OrderReference, OrderHistory> workflows,
        VenueRecord venue,
        SecretSearch.Searched secrets,
        AccessRecord access,
        Map<String, AccountHoldings> reported,
        Map<String, RecordedAccount> recorded,
        List<Freeze> freezes) {

    Evidence {
        orders = List.copyOf(orders);
        archived = Set.copyOf(archived);
        workflows = Map.copyOf(workflows);
        reported = Map.copyOf(reported);
        recorded = Map.copyOf(recorded);
        freezes = List.copyOf(freezes);
    }

    Optional<OrderHistory> workflow(OrderReference id) {
        return Optional.ofNullable(workflows.get(id));
    }

    boolean isTolerated(RecordedArrival sent) {
        return freezes.stream().anyMatch(freeze -> freeze.covers(sent));
    }

    /** The orders by their key at the venue. */
    Map<VenueRecord.AccountOrderKey, BerthOrder> ordersByKey() {
        Map<VenueRecord.AccountOrderKey, BerthOrder> byKey = new HashMap<>();
        orders.forEach(order -> byKey.put(venue.keyOf(order), order));
        return byKey;
    }

    /** Who has orders. */
    Set<String> users() {
        return orders.stream().map(order -> order.id().user()).collect(Collectors.toSet());
    }

    /** Whether the order at the venue is one that left for the archive. */
    boolean isArchived(BookedOrder booked) {
        VenueRecord.AccountOrderKey key = VenueRecord.orderOf(booked.key());
        return LocalAccount.usersOf(key.account()).stream()
                .anyMatch(user -> archived.contains(new OrderReference(user, key.clientOrderId())));
    }

    /** The evidence about these users. */
    Evidence about(Set<String> users) {
        List<BerthOrder> theirs = orders.stream()
                .filter(order -> users.contains(order.id().user()))
                .toList();
        Set<String> accounts =
                theirs.stream().map(order -> venue.keyOf(order).account()).collect(Collectors.toSet());
        users.forEach(user -> accounts.addAll(LocalAccount.keyIds(user)));
        Map<OrderReference, OrderHistory> their = workflows.entrySet().stream()
                .filter(workflow -> users.contains(workflow.getKey().user()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Evidence(
                at,
                theirs,
                archived,
                their,
                venue.of(accounts),
                secrets,
                access,
                of(accounts, reported),
                of(accounts, recorded),
                freezes);
    }

    private static <T> Map<String, T> of(Set<String> accounts, Map<String, T> all) {
        return all.entrySet().stream()
                .filter(account -> accounts.contains(account.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The number of unanswered orders before their deadline. */
    long underWay() {
        return orders.stream()
                .filter(order -> order.isUnanswered() && at.isBefore(order.deadline()))
                .count();
    }
}
