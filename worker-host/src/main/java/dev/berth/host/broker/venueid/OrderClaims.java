package dev.berth.host.broker.venueid;

import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.VenueClientOrderId;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Which order has which id at the broker, kept longer than a process lives. */
public interface OrderClaims {
    /**
     * What was about to be written; empty when the order surely was not.
     *
     * @throws IOException when that cannot be told now
     */
    Optional<OrderIntent> intent(VenueClientOrderId id) throws IOException;

    /**
     * The order has this id at the broker.
     *
     * @throws IOException when that may not be stored
     */
    void claim(VenueClientOrderId id, String venueOrderId) throws IOException;

    /**
     * Whose orders have these ids; without those that belong to no order of Berth.
     *
     * @throws IOException when that cannot be told now
     */
    List<OrderClaim> claims(Collection<String> venueOrderIds) throws IOException;
}
