package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.OwnOrders;
import dev.berth.host.broker.SessionListener;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import quickfix.Message;

/** One account at a counterparty that speaks FIX 4.4. */
final class FixSession implements BrokerSession {
    /** For a heartbeat that was asked for. */
    private static final Duration PING = Duration.ofSeconds(5);

    private final long epoch;
    private final FixLink link;
    private final FixCalls calls;
    private final FixRequests requests;
    private final FixKnownOrders known = new FixKnownOrders();
    private final FixLookUps lookUps;
    private final FixOrderCancels cancels;
    private final FixJournal journal;
    private final Duration limit;

    /** @param limit for each call except a submission */
    FixSession(
            AccountKey account,
            FixCounterparty counterparty,
            FixSettings settings,
            FixJournal journal,
            long epoch,
            Duration limit,
            SessionListener listener) {
        this.epoch = epoch;
        this.journal = journal;
        this.limit = limit;
        FixConnections connections = new FixConnections(settings, counterparty, journal);
        this.link = new FixLink(settings, connections);
        this.calls = new FixCalls(link, epoch);
        this.requests = new FixRequests(account, epoch);
        this.lookUps = new FixLookUps(calls, requests, known, journal, settings, limit);
        this.cancels = new FixOrderCancels(calls, requests, lookUps, settings, limit);
        FixReconciliation reconciliation = new FixReconciliation(lookUps, known, listener, epoch);
        connections.begin(link, calls, new FixEvents(calls, known, listener, epoch), reconciliation);
    }

    /**
     * Logs on, and stays so.
     *
     * @throws RefusedException when the counterparty refuses the credentials
     * @throws IOException when it does not accept the logon in time
     */
    void open(Duration within) throws IOException, InterruptedException {
        link.start();
        try {
            link.await(System.nanoTime() + within.toNanos());
        } catch (NotSentException notLoggedOn) {
            close();
            link.requireAccepted();
            throw new IOException(notLoggedOn.getMessage(), notLoggedOn);
        }
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        Message message = requests.order(order);
        return (within, gate) -> new FixSubmission(calls, lookUps, known, message, order).send(epoch, within, gate);
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return lookUps.find(id).map(FixOrderReport::report);
    }

    /** A ClOrdID finds its order, and is unique for a day only. */
    @Override
    public OrderIdentity identity() {
        return OrderIdentity.FINDABLE;
    }

    @Override
    public Optional<ExecutionReport> findByVenueOrderId(VenueClientOrderId id, String venueOrderId)
            throws IOException, InterruptedException {
        return lookUps.find(id, venueOrderId).map(FixOrderReport::report);
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        Optional<FixOrderReport> found = lookUps.find(id);
        return found.isPresent() ? Optional.of(lookUps.withExecutions(found.get())) : Optional.empty();
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        return cancels.cancel(id);
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        return new FixReplacement(calls, requests, lookUps, known, limit, order).make(gate);
    }

    /** The counterparty answers a TestRequest. */
    @Override
    public void ping() throws IOException, InterruptedException {
        link.requireAccepted();
        FixConnection connection;
        try {
            connection = link.await(System.nanoTime() + PING.toNanos());
        } catch (NotSentException notLoggedOn) {
            link.requireAccepted();
            throw notLoggedOn;
        }
        if (!connection.answers(calls.newId("ping"), PING)) {
            link.requireAccepted();
            throw new IOException("the broker does not answer");
        }
    }

    /** By the counterparty's list, if it has one; it shows orders of others, too. */
    @Override
    public boolean hasWorkingOrders(OwnOrders own) throws IOException, InterruptedException {
        try {
            Set<ClientOrderId> ids = new LinkedHashSet<>();
            lookUps.working().forEach(order -> FixMessages.id(order).ifPresent(id -> ids.add(id.order())));
            return !ids.isEmpty() && own.containAny(ids);
        } catch (UnsupportedException unlisted) {
            return !known.working(journal.working()).isEmpty();
        }
    }

    @Override
    public List<AccountOrder> openOrders() throws IOException, InterruptedException {
        return cancels.openOrders();
    }

    @Override
    public CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        return cancels.cancelVenueOrder(venueOrderId);
    }

    @Override
    public Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        return cancels.cancelAll(within);
    }

    /** Logs out, so that the next session can begin at once. */
    @Override
    public void close() {
        link.close();
    }
}
