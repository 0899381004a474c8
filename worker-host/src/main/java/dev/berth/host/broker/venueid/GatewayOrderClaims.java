package dev.berth.host.broker.venueid;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Behind the worker gateway, beside the intents of the orders. */
public record GatewayOrderClaims(WorkerGatewayClient gateway, AccountKey account) implements OrderClaims {
    @Override
    public Optional<OrderIntent> intent(VenueClientOrderId id) throws IOException {
        return Optional.ofNullable(call(() -> gateway.readIntent(id.toString())).intent());
    }

    @Override
    public void claim(VenueClientOrderId id, String venueOrderId) throws IOException {
        call(() -> {
            gateway.closeIntent(id.toString(), venueOrderId);
            return true;
        });
    }

    @Override
    public List<OrderClaim> claims(Collection<String> venueOrderIds) throws IOException {
        List<String> all = List.copyOf(venueOrderIds);
        List<OrderClaim> claims = new ArrayList<>();
        for (int from = 0; from < all.size(); from += ClaimsQuery.MOST) {
            List<String> part = all.subList(from, Math.min(all.size(), from + ClaimsQuery.MOST));
            claims.addAll(call(() -> gateway.readClaims(new ClaimsQuery(account, part)))
                    .claims());
        }
        return claims;
    }

    private static <T> T call(Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (StatusRuntimeException unavailable) {
            throw new IOException("the gateway does not answer", unavailable);
        }
    }
}
