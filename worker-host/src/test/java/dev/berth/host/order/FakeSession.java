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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A broker that fills everything, or does what {@link #nextFailure} and {@link #known} say. */
final class FakeSession implements BrokerSession {
    final List<ClientOrderId> sent = new ArrayList<>();

    @Nullable
    IOException nextFailure;

    @Nullable
    VenueReport known;

    final AtomicInteger pings = new AtomicInteger();
    volatile boolean unhealthy;
    volatile boolean working;
    volatile boolean closed;

    Runnable beforeSend = () -> {};
    Runnable whilePreparing = () -> {};

    static VenueReport report(OrderStatus status) {
        return new VenueReport(status, "word", "v-1", Decimal.of("10"), null, null, Instant.EPOCH, 7);
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        whilePreparing.run();
        return _ -> {
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
    public void ping() throws IOException {
        pings.incrementAndGet();
        if (unhealthy) {
            throw new IOException("no answer");
        }
    }

    @Override
    public boolean hasWorkingOrders() {
        return working;
    }

    @Override
    public void close() {
        closed = true;
    }
}
