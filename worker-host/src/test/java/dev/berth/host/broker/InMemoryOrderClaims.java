package dev.berth.host.broker;

import dev.berth.host.broker.venueid.OrderClaims;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The intents and claims of one account, as the gateway keeps them in PostgreSQL. */
final class InMemoryOrderClaims implements OrderClaims {
    private final Map<VenueClientOrderId, OrderIntent> intents = new LinkedHashMap<>();

    /** The same session, whose orders have an intent before they are written. */
    BrokerSession intending(BrokerSession session) {
        return (BrokerSession) Proxy.newProxyInstance(
                BrokerSession.class.getClassLoader(), new Class<?>[] {BrokerSession.class}, (_, method, arguments) -> {
                    try {
                        Object answer = method.invoke(session, arguments);
                        return method.getName().equals("prepare")
                                ? intending((OrderRequest) arguments[0], (BrokerSession.PreparedOrder) answer)
                                : answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private BrokerSession.PreparedOrder intending(OrderRequest order, BrokerSession.PreparedOrder prepared) {
        return (limit, gate) -> prepared.send(limit, () -> {
            var objection = gate.objection();
            if (objection.isEmpty()) {
                intend(order);
            }
            return objection;
        });
    }

    synchronized void intend(OrderRequest order) {
        intents.put(
                new VenueClientOrderId(order.clientOrderId(), 0),
                new OrderIntent(order.symbol(), order.side(), OrderTerms.of(order), Instant.now(), null, false));
    }

    @Override
    public synchronized Optional<OrderIntent> intent(VenueClientOrderId id) {
        return Optional.ofNullable(intents.get(id));
    }

    @Override
    public synchronized void claim(VenueClientOrderId id, String venueOrderId) {
        intents.computeIfPresent(
                id,
                (_, intent) -> new OrderIntent(
                        intent.symbol(), intent.side(), intent.terms(), intent.at(), venueOrderId, false));
    }

    @Override
    public synchronized List<OrderClaim> claims(Collection<String> venueOrderIds) {
        return intents.entrySet().stream()
                .flatMap(entry -> Optional.ofNullable(entry.getValue().venueOrderId())
                        .filter(venueOrderIds::contains)
                        .map(id -> new OrderClaim(id, entry.getKey().toString(), false))
                        .stream())
                .toList();
    }
}
