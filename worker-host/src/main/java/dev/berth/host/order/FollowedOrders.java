package dev.berth.host.order;

import dev.berth.host.broker.OwnOrders;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.ClientOrderId;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Asks the gateway which orders Berth follows. */
final class FollowedOrders implements OwnOrders {
    private static final int REMEMBERED = 10_000;
    /** An order whose workflow was ended by hand is followed again after a sweep or a requeue. */
    private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final WorkerGatewayClient gateway;
    /** Those that Berth did not follow, by when they were asked about. */
    private final Map<ClientOrderId, Long> foreign = new BoundedMap<>(REMEMBERED);

    FollowedOrders(WorkerGatewayClient gateway) {
        this.gateway = gateway;
    }

    @Override
    public synchronized boolean containAny(Collection<ClientOrderId> ids) throws IOException {
        long now = System.nanoTime();
        foreign.values().removeIf(asked -> now - asked > KEPT_NANOS);
        List<ClientOrderId> unknown = new ArrayList<>(ids);
        unknown.removeIf(foreign::containsKey);
        for (int from = 0; from < unknown.size(); from += RunningOrdersRequest.MOST) {
            List<ClientOrderId> asked =
                    unknown.subList(from, Math.min(unknown.size(), from + RunningOrdersRequest.MOST));
            if (isAnyRunning(asked)) {
                return true;
            }
            asked.forEach(id -> foreign.put(id, now));
        }
        return false;
    }

    private boolean isAnyRunning(List<ClientOrderId> ids) throws IOException {
        try {
            return gateway.isAnyRunning(ids);
        } catch (StatusRuntimeException unavailable) {
            throw new IOException("which orders Berth follows is not known: " + unavailable.getMessage(), unavailable);
        }
    }
}
