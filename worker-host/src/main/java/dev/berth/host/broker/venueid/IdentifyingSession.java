package dev.berth.host.broker.venueid;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.OwnOrders;
import dev.berth.host.broker.SessionListener;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Orders of Berth at a broker that knows ids of its own alone. An order is known by the id that the
 * broker's answer named; one whose answer was lost is found by {@link OrderMatch}, and claims the
 * id then. Each id belongs to one order.
 */
public final class IdentifyingSession implements BrokerSession {
    /** Opens the broker's own session. */
    public interface Opener {
        VenueIdSession open(VenueIdSession.Listener listener) throws IOException, InterruptedException;
    }

    private final VenueIdSession broker;
    private final KnownIds ids;
    private final VenueChanges changes;
    private final boolean isExclusive;
    private final long epoch;
    /** Held from a list until what it found is claimed. */
    private final Object matching = new Object();

    private IdentifyingSession(
            VenueIdSession broker, KnownIds ids, VenueChanges changes, boolean isExclusive, long epoch) {
        this.broker = broker;
        this.ids = ids;
        this.changes = changes;
        this.isExclusive = isExclusive;
        this.epoch = epoch;
    }

    /**
     * Opens the broker's session, and reports what changed while none was open.
     *
     * @param isExclusive whether the account's owner declared that nothing else trades in it
     */
    public static IdentifyingSession open(
            Opener opener, OrderClaims claims, boolean isExclusive, long epoch, SessionListener listener)
            throws IOException, InterruptedException {
        KnownIds ids = new KnownIds(claims);
        VenueChanges changes = new VenueChanges(ids, listener);
        VenueIdSession broker = opener.open(changes);
        changes.start(broker);
        return new IdentifyingSession(broker, ids, changes, isExclusive, epoch);
    }

    @Override
    public OrderIdentity identity() {
        return broker.identity();
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        VenueClientOrderId id = new VenueClientOrderId(order.clientOrderId(), 0);
        PreparedOrder prepared = broker.prepare(order, OrderTag.of(id));
        return (limit, gate) -> {
            Optional<String> sent = ids.ofThisProcess(id);
            return sent.isPresent() ? duplicate(order, sent.get()) : send(id, prepared, limit, gate);
        };
    }

    private ExecutionReport duplicate(OrderRequest order, String venueOrderId)
            throws IOException, InterruptedException {
        ListedOrder found = broker.find(venueOrderId)
                .orElseThrow(() -> new IOException("an order that was answered cannot be found"));
        return found.has(order.symbol(), order.side(), OrderTerms.of(order))
                ? found.report()
                : ExecutionReport.unfilled(0, OrderStatus.REJECTED, "rejected", Instant.now(), epoch)
                        .withReason(FailureCode.DUPLICATE_ID.because(
                                "Another order with this id was sent. Submit this one under another id."));
    }

    private ExecutionReport send(VenueClientOrderId id, PreparedOrder prepared, Duration limit, WriteGate gate)
            throws IOException, InterruptedException {
        changes.hold();
        try {
            ExecutionReport answer = prepared.send(limit, gate);
            if (answer.venueOrderId() != null) {
                ids.answered(id, answer.venueOrderId());
            }
            return answer;
        } finally {
            changes.release();
        }
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return lookUp(id).map(ListedOrder::report);
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        return find(id);
    }

    private Optional<ListedOrder> lookUp(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<String> answered = ids.ofThisProcess(id);
        if (answered.isPresent()) {
            return broker.find(answered.get());
        }
        Optional<OrderIntent> intent = ids.intent(id);
        if (intent.isEmpty()) {
            return Optional.empty();
        }
        String venueOrderId = intent.get().venueOrderId();
        return venueOrderId == null ? match(id, intent.get()) : claimed(id, broker.find(venueOrderId));
    }

    private Optional<ListedOrder> match(VenueClientOrderId id, OrderIntent intent)
            throws IOException, InterruptedException {
        OrderMatch match = new OrderMatch(intent, OrderTag.of(id), isExclusive);
        synchronized (matching) {
            List<ListedOrder> orders = broker.orders(match.since());
            Set<String> claimed =
                    ids.claims(orders).stream().map(OrderClaim::venueOrderId).collect(Collectors.toSet());
            return claimed(id, match.among(orders, order -> claimed.contains(order.venueOrderId())));
        }
    }

    private Optional<ListedOrder> claimed(VenueClientOrderId id, Optional<ListedOrder> found) throws IOException {
        if (found.isPresent()) {
            ids.claim(id, found.get().venueOrderId());
        }
        return found;
    }

    /** Empty, too, for an order with other terms, and for one that is another's. */
    @Override
    public Optional<ExecutionReport> findByVenueOrderId(VenueClientOrderId id, String venueOrderId)
            throws IOException, InterruptedException {
        Optional<OrderIntent> intent = ids.intent(id);
        synchronized (matching) {
            VenueClientOrderId owner = ids.owner(venueOrderId).orElse(id);
            Optional<ListedOrder> found = broker.find(venueOrderId)
                    .filter(order -> owner.equals(id))
                    .filter(order -> intent.filter(known -> order.has(known.symbol(), known.side(), known.terms()))
                            .isPresent());
            return claimed(id, found).map(ListedOrder::report);
        }
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<ListedOrder> found = lookUp(id);
        return found.isPresent() ? broker.cancel(found.get().venueOrderId()) : Optional.empty();
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        ExecutionReport current =
                find(order.currentId()).orElseThrow(() -> new IOException("the broker does not have the order"));
        return new ReplaceOutcome.NotReplaced(
                current,
                FailureCode.NOT_REPLACED.because("This broker replaces no order: cancel it, and submit another."));
    }

    /** One that no order has claimed may be that of an order in doubt. */
    @Override
    public boolean hasWorkingOrders(OwnOrders own) throws IOException, InterruptedException {
        List<ListedOrder> open = broker.orders(Instant.now()).stream()
                .filter(order -> !order.report().status().isFinal())
                .toList();
        Set<ClientOrderId> claimed = ids.claims(open).stream()
                .map(claim -> VenueClientOrderId.parse(claim.clientOrderId()).order())
                .collect(Collectors.toSet());
        boolean isAnyUnclaimed = claimed.size() < open.size();
        return (isExclusive && isAnyUnclaimed) || (!claimed.isEmpty() && own.containAny(claimed));
    }

    @Override
    public void ping() throws IOException, InterruptedException {
        broker.ping();
    }

    @Override
    public int requestsUsed() {
        return broker.requestsUsed();
    }

    @Override
    public AccountReport readAccount(boolean listsOrders) throws IOException, InterruptedException {
        return broker.readAccount(listsOrders);
    }

    @Override
    public CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        return broker.cancelVenueOrder(venueOrderId);
    }

    @Override
    public List<AccountOrder> openOrders() throws IOException, InterruptedException {
        return broker.openOrders();
    }

    @Override
    public Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        return broker.cancelAll(within);
    }

    @Override
    public void close() {
        changes.close();
        broker.close();
    }
}
