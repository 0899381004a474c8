package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import java.io.IOException;
import java.util.Collection;

/** Tells orders of Berth from those that other applications made in the same account. */
@FunctionalInterface
public interface OwnOrders {
    /**
     * Whether Berth follows any of these.
     *
     * @throws IOException when that cannot be told now
     */
    boolean containAny(Collection<ClientOrderId> ids) throws IOException;
}
