package dev.berth.host.order;

import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.OwnOrders;
import dev.berth.host.broker.SessionListener;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The broker sessions of this process, one for each account. */
public final class Sessions implements AutoCloseable {
    private final Map<AccountKey, AccountSession> accounts = new ConcurrentHashMap<>();
    private final AccountSession.Opener opener;
    private final OwnOrders own;
    private final BrokerCalls calls;
    private final Duration limit;
    private final Consumer<AccountKey> onChange;
    private final Consumer<AccountKey> onRefused;
    private volatile boolean closed;

    Sessions(
            BrokerConnector broker,
            BrokerCalls calls,
            Duration limit,
            OwnOrders own,
            BiFunction<ClientOrderId, ExecutionReport, CompletionStage<Void>> onReport,
            Consumer<AccountKey> onChange,
            Consumer<AccountKey> onRefused) {
        this.own = own;
        this.onRefused = onRefused;
        this.onChange = onChange;
        this.opener = (account, credentials) -> broker.open(account, credentials, new SessionListener() {
            @Override
            public void reported(ClientOrderId id, ExecutionReport report) {
                var _ = onReport.apply(id, report);
            }

            @Override
            public CompletionStage<Void> deliver(ClientOrderId id, ExecutionReport report) {
                return onReport.apply(id, report);
            }

            @Override
            public void accountChanged() {
                onChange.accept(account);
            }
        });
        this.calls = calls;
        this.limit = limit;
    }

    /**
     * Opens the session of an account. A session with older credentials stays open until then, and
     * finishes its running calls. No effect when these or newer credentials are open.
     *
     * @throws BrokerSession.RefusedException when the broker rejects the credentials; the old
     *     session stays
     * @throws IOException when the broker does not answer
     */
    public void open(AccountKey account, BrokerCredentials credentials, long version)
            throws IOException, InterruptedException {
        accounts.computeIfAbsent(account, _ -> new AccountSession(account, opener, calls, onChange, onRefused))
                .open(credentials, version, limit);
        if (closed) {
            close(account);
            throw new IOException("this worker is closing");
        }
    }

    /** Closes the session of one account; no effect when none is open. */
    public void close(AccountKey account) {
        AccountSession closing = accounts.remove(account);
        if (closing != null) {
            closing.close();
        }
    }

    /** The session of an account that was opened here. */
    Optional<AccountSession> find(AccountKey account) {
        return Optional.ofNullable(accounts.get(account)).filter(AccountSession::isKnown);
    }

    /** A call of a session. */
    public interface SessionCall<T> {
        T execute(BrokerSession session) throws IOException, InterruptedException;
    }

    /**
     * Calls the session of an account; opens it again when it was closed as unhealthy.
     *
     * @param what for logs
     * @param within the call and, when needed, the opening
     * @throws io.temporal.failure.ApplicationFailure {@code no-session}, when none was opened here
     */
    public <T> T call(AccountKey account, String what, Duration within, SessionCall<T> call)
            throws IOException, InterruptedException {
        return require(account).call(what + " of " + account, within, call);
    }

    /**
     * @throws io.temporal.failure.ApplicationFailure {@code no-session}, when none was opened here
     */
    AccountSession require(AccountKey account) {
        return find(account).orElseThrow(() -> FailureType.NO_SESSION.failure("no session is open"));
    }

    /** The names of the accounts whose sessions were opened here, sorted. */
    public List<String> accounts() {
        return accounts.entrySet().stream()
                .filter(account -> account.getValue().isKnown())
                .map(account -> account.getKey().toString())
                .sorted()
                .toList();
    }

    /** The most that an account has used of its broker's request limit, percent: 0 to 100. */
    public int requestsUsed() {
        return accounts.values().stream()
                .mapToInt(AccountSession::requestsUsed)
                .max()
                .orElse(0);
    }

    /** Checks every session: closes an unhealthy one, and opens a closed one again. */
    public void checkAll() {
        accounts.values().stream().filter(AccountSession::isKnown).forEach(account -> account.checkSoon(limit));
    }

    /**
     * Whether an order of one of the accounts works at its venue. An account whose credentials are
     * refused counts as having none: nothing can be done for its orders until new credentials
     * arrive.
     *
     * @throws IOException when a venue does not answer in time
     */
    public boolean anyWorkingOrders(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (AccountSession account : accounts.values()) {
            if (account.isKnown() && hasWorkingOrders(account, deadline)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasWorkingOrders(AccountSession account, long deadline) throws IOException, InterruptedException {
        try {
            return account.call(
                    "look-up of working orders", remaining(deadline), session -> session.hasWorkingOrders(own));
        } catch (BrokerSession.RefusedException refused) {
            return false;
        }
    }

    private static Duration remaining(long deadlineNanos) {
        return Duration.ofNanos(deadlineNanos - System.nanoTime());
    }

    /** Closes all; no session opens after that. */
    @Override
    public void close() {
        closed = true;
        accounts.keySet().forEach(this::close);
    }
}
