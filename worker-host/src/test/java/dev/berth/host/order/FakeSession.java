package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A broker that fills everything, or does what {@link #nextFailure} and {@link #known} say. */
final class FakeSession implements BrokerSession {
    final List<ClientOrderId> sent = new ArrayList<>();

    @Nullable
    IOException nextFailure;

    @Nullable
    VenueReport known;

    Runnable beforeSend = () -> {};
    Runnable whilePreparing = () -> {};

    static VenueReport report(OrderStatus status) {
        return new VenueReport(status, "word", "v-1", Decimal.of("10"), null, null, Instant.EPOCH, 7);
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        whilePreparing.run();
        return () -> {
            beforeSend.run();
            if (nextFailure != null) {
                throw nextFailure;
            }
            sent.add(order.clientOrderId());
            return report(OrderStatus.FILLED);
        };
    }

    @Override
    public Optional<VenueReport> find(ClientOrderId clientOrderId) {
        return Optional.ofNullable(known);
    }

    @Override
    public Optional<VenueReport> cancel(ClientOrderId clientOrderId) {
        return Optional.ofNullable(known);
    }

    @Override
    public void close() {}
}
