package dev.berth.host.order;

import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.Credentials;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** The broker sessions of this process, one an account. */
public final class Sessions implements AutoCloseable {
    private final Map<AccountKey, AccountSession> accounts = new ConcurrentHashMap<>();
    private final AccountSession.Opener opener;
    private final BrokerCalls calls;
    private final Duration limit;
    private volatile boolean closed;

    Sessions(BrokerConnector broker, BrokerCalls calls, Duration limit, BiConsumer<ClientOrderId, VenueReport> news) {
        this.opener = (account, credentials) -> broker.open(account, credentials, news);
        this.calls = calls;
        this.limit = limit;
    }

    /**
     * Opens the session of an account; one with older credentials is open until then, and a call that is under way on
     * it is finished there. Open with these credentials or newer ones: nothing happens.
     *
     * @throws BrokerSession.RefusedException when the broker does not know the credentials; the one before stays
     * @throws IOException when the broker does not answer
     */
    public void open(AccountKey account, Credentials credentials, long version)
            throws IOException, InterruptedException {
        accounts.computeIfAbsent(account, _ -> new AccountSession(account, opener, calls))
                .open(credentials, version, limit);
        if (closed) {
            drop(account);
            throw new IOException("this worker is closing");
        }
    }

    /** Closes the session of one account. None open: nothing happens. */
    public void drop(AccountKey account) {
        AccountSession dropped = accounts.remove(account);
        if (dropped != null) {
            dropped.close();
        }
    }

    /** The session of an account that was opened here. */
    Optional<AccountSession> of(AccountKey account) {
        return Optional.ofNullable(accounts.get(account)).filter(AccountSession::isKnown);
    }

    /** The accounts whose sessions were opened here, in the order of their names. */
    public List<String> names() {
        return accounts.entrySet().stream()
                .filter(account -> account.getValue().isKnown())
                .map(account -> account.getKey().toString())
                .sorted()
                .toList();
    }

    /** Looks after every session: one that is not good is closed, one that is closed is opened again. */
    public void check() {
        accounts.values().stream()
                .filter(AccountSession::isKnown)
                .forEach(account -> Thread.ofVirtual().name("check").start(() -> {
                    try {
                        account.check(limit);
                    } catch (InterruptedException end) {
                        Thread.currentThread().interrupt();
                    }
                }));
    }

    /**
     * Whether an order of one of the accounts works at its venue. An account whose credentials are refused counts as
     * one without: nobody can look, nor do anything for its orders, until there are others.
     *
     * @throws IOException when a venue does not say so in time
     */
    public boolean anyWorkingOrders(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (AccountSession account : accounts.values()) {
            if (account.isKnown() && hasWorkingOrders(account, deadline)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasWorkingOrders(AccountSession account, long deadline) throws IOException, InterruptedException {
        try {
            BrokerSession session = account.get(until(deadline));
            return calls.make("look for working orders", until(deadline), session::hasWorkingOrders);
        } catch (BrokerSession.RefusedException refused) {
            return false;
        }
    }

    private static Duration until(long deadlineNanos) {
        return Duration.ofNanos(deadlineNanos - System.nanoTime());
    }

    /** Closes all, for good. */
    @Override
    public void close() {
        closed = true;
        accounts.keySet().forEach(this::drop);
    }
}
