package dev.berth.host.broker.venueid;

import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.VenueClientOrderId;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which order has which id at the broker: by what this process heard, else by the claims. */
final class KnownIds {
    private static final Logger LOG = LoggerFactory.getLogger(KnownIds.class);
    private static final int KEPT = 10_000;

    private final OrderClaims claims;
    private final Map<VenueClientOrderId, String> venueOrderIds = new BoundedMap<>(KEPT);
    private final Map<String, VenueClientOrderId> orders = new BoundedMap<>(KEPT);
    /** Of no order of Berth, until one claims it. */
    private final Map<String, Boolean> foreign = new BoundedMap<>(KEPT);

    KnownIds(OrderClaims claims) {
        this.claims = claims;
    }

    synchronized Optional<String> ofThisProcess(VenueClientOrderId id) {
        return Optional.ofNullable(venueOrderIds.get(id));
    }

    Optional<OrderIntent> intent(VenueClientOrderId id) throws IOException {
        return claims.intent(id);
    }

    /** The broker's answer named the id. Without a claim a later process has to look for it. */
    void answered(VenueClientOrderId id, String venueOrderId) {
        remember(id, venueOrderId);
        try {
            claims.claim(id, venueOrderId);
        } catch (IOException unavailable) {
            LOG.warn("the broker's id of {} is not stored: {}", id, unavailable.getMessage());
        }
    }

    /** @throws IOException when the claim may not be stored */
    void claim(VenueClientOrderId id, String venueOrderId) throws IOException {
        claims.claim(id, venueOrderId);
        remember(id, venueOrderId);
    }

    private synchronized void remember(VenueClientOrderId id, String venueOrderId) {
        venueOrderIds.put(id, venueOrderId);
        orders.put(venueOrderId, id);
        foreign.remove(venueOrderId);
    }

    /** Whose order it is by what this process knows; empty when it has to ask. */
    synchronized Optional<VenueClientOrderId> knownOwner(String venueOrderId) {
        return Optional.ofNullable(orders.get(venueOrderId));
    }

    /** Whose order it is; empty for one that is not of Berth, as far as that is known. */
    Optional<VenueClientOrderId> owner(String venueOrderId) throws IOException {
        synchronized (this) {
            if (orders.containsKey(venueOrderId) || foreign.containsKey(venueOrderId)) {
                return Optional.ofNullable(orders.get(venueOrderId));
            }
        }
        List<OrderClaim> found = claims.claims(List.of(venueOrderId));
        synchronized (this) {
            found.forEach(this::remember);
            if (!orders.containsKey(venueOrderId)) {
                foreign.put(venueOrderId, true);
            }
            return Optional.ofNullable(orders.get(venueOrderId));
        }
    }

    private void remember(OrderClaim claim) {
        remember(VenueClientOrderId.parse(claim.clientOrderId()), claim.venueOrderId());
    }

    /** Those of these orders that are orders of Berth. */
    List<OrderClaim> claims(Collection<ListedOrder> of) throws IOException {
        Map<String, OrderClaim> found = new LinkedHashMap<>();
        of.forEach(order -> knownOwner(order.venueOrderId())
                .map(id -> new OrderClaim(order.venueOrderId(), id.toString(), false))
                .ifPresent(claim -> found.put(claim.venueOrderId(), claim)));
        claims.claims(of.stream().map(ListedOrder::venueOrderId).toList())
                .forEach(claim -> found.put(claim.venueOrderId(), claim));
        return List.copyOf(found.values());
    }
}
