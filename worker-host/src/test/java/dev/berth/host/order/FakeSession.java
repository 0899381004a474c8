package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.OwnOrders;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A broker that fills everything, or does what {@link #nextFailure} and {@link #known} say. */
final class FakeSession implements BrokerSession {
    final List<ClientOrderId> sent = new ArrayList<>();
    /** The order versions that were written, and the ids that were looked up. */
    final List<Integer> replaced = new CopyOnWriteArrayList<>();

    final List<VenueClientOrderId> lookedUp = new CopyOnWriteArrayList<>();

    @Nullable
    IOException nextFailure;

    @Nullable
    ExecutionReport known;

    /** What a look-up by the venue's id finds. */
    @Nullable
    ExecutionReport knownToVenue;

    final List<String> venueOrderIds = new CopyOnWriteArrayList<>();
    OrderIdentity identity = OrderIdentity.UNIQUE;

    /** The answer to a submission. */
    ExecutionReport answer = report(OrderStatus.FILLED);

    /** What the answer to a submission names itself. */
    List<Execution> answered = List.of();

    final AtomicInteger pings = new AtomicInteger();
    volatile @Nullable IOException failure;
    volatile boolean unhealthy;
    volatile boolean working;
    volatile boolean closed;

    Runnable beforeSend = () -> {};
    Runnable afterSend = () -> {};
    Runnable whilePreparing = () -> {};

    static ExecutionReport report(OrderStatus status) {
        return report(0, status);
    }

    static ExecutionReport report(int version, OrderStatus status) {
        return new ExecutionReport(
                version,
                null,
                status,
                "venue-status",
                "v-1",
                Decimal.of("10"),
                null,
                null,
                null,
                List.of(),
                Instant.EPOCH,
                7);
    }

    static Execution execution(String id, String quantity) {
        return new Execution(id, 0, Decimal.of(quantity), Decimal.of("100"), Instant.EPOCH, false);
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        whilePreparing.run();
        return (_, gate) -> {
            Optional<Declined> objection = gate.objection();
            if (objection.isPresent()) {
                throw new ObjectionException(objection.get());
            }
            beforeSend.run();
            if (nextFailure != null) {
                throw nextFailure;
            }
            sent.add(order.clientOrderId());
            afterSend.run();
            return answer.withExecutions(answered);
        };
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) {
        lookedUp.add(id);
        return Optional.ofNullable(known);
    }

    @Override
    public OrderIdentity identity() {
        return identity;
    }

    @Override
    public Optional<ExecutionReport> findByVenueOrderId(VenueClientOrderId id, String venueOrderId) {
        venueOrderIds.add(venueOrderId);
        return Optional.ofNullable(knownToVenue);
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) {
        return find(id).map(report -> report.withExecutions(List.of(execution("e-1", "10"))));
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) {
        lookedUp.add(id);
        return Optional.ofNullable(known);
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        ExecutionReport current = report(order.current(), OrderStatus.NEW);
        Optional<Declined> objection = gate.objection();
        if (objection.isPresent()) {
            return new ReplaceOutcome.NotReplaced(
                    current, Objects.requireNonNull(objection.get().reason()));
        }
        beforeSend.run();
        if (nextFailure != null) {
            throw nextFailure;
        }
        replaced.add(order.next());
        return new ReplaceOutcome.Replaced(current, report(order.next(), OrderStatus.NEW));
    }

    @Override
    public void ping() throws IOException {
        pings.incrementAndGet();
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        if (unhealthy) {
            throw new IOException("no answer");
        }
    }

    @Override
    public boolean hasWorkingOrders(OwnOrders own) {
        return working;
    }

    @Override
    public void close() {
        closed = true;
    }
}
