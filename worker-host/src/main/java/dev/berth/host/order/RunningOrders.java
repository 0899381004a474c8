package dev.berth.host.order;

import dev.berth.host.broker.OwnOrders;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.ClientOrderId;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Asks the gateway which orders Berth follows. An order that works at the venue and has no workflow
 * never gets one: the venue would refuse its id.
 */
final class RunningOrders implements OwnOrders {
    private static final int REMEMBERED = 10_000;

    private final WorkerGatewayClient gateway;
    private final Map<ClientOrderId, Boolean> foreign = new BoundedMap<>(REMEMBERED);

    RunningOrders(WorkerGatewayClient gateway) {
        this.gateway = gateway;
    }

    @Override
    public synchronized boolean containAny(Collection<ClientOrderId> ids) throws IOException {
        List<ClientOrderId> unknown = new ArrayList<>(ids);
        unknown.removeIf(foreign::containsKey);
        for (int from = 0; from < unknown.size(); from += RunningOrdersRequest.MOST) {
            List<ClientOrderId> asked =
                    unknown.subList(from, Math.min(unknown.size(), from + RunningOrdersRequest.MOST));
            if (!ask(asked).isEmpty()) {
                return true;
            }
            asked.forEach(id -> foreign.put(id, true));
        }
        return false;
    }

    private List<ClientOrderId> ask(List<ClientOrderId> ids) throws IOException {
        try {
            return gateway.runningOrders(ids);
        } catch (StatusRuntimeException unavailable) {
            throw new IOException("which orders Berth follows is not known: " + unavailable.getMessage(), unavailable);
        }
    }
}
