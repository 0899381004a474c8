package dev.berth.host.order;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one account. The next caller that needs a closed session opens it again, with the
 * last credentials; these are in memory only. A caller continues with the session that it got even
 * if another one replaces it.
 */
final class AccountSession {
    private static final Logger LOG = LoggerFactory.getLogger(AccountSession.class);

    /** How a session is opened. */
    interface Opener {
        BrokerSession open(AccountKey account, BrokerCredentials credentials) throws IOException, InterruptedException;
    }

    /** Credentials; the version grows each time the account's credentials are stored. */
    private record Versioned(BrokerCredentials credentials, long version) {}

    /** The opening that is in progress; there is one at a time. */
    private record Opening(long version, BrokerCalls.PendingCall<BrokerSession> call) {}

    private final AccountKey account;
    private final Opener opener;
    private final BrokerCalls calls;
    private final Consumer<AccountKey> onOpened;
    private final Consumer<AccountKey> onRefused;
    private @Nullable Versioned credentials;
    private @Nullable BrokerSession session;
    private @Nullable Opening opening;
    private boolean closed;

    /**
     * @param onOpened called when a session is open; must not block
     * @param onRefused called when a check finds that the broker rejects the credentials
     */
    AccountSession(
            AccountKey account,
            Opener opener,
            BrokerCalls calls,
            Consumer<AccountKey> onOpened,
            Consumer<AccountKey> onRefused) {
        this.account = account;
        this.opener = opener;
        this.calls = calls;
        this.onOpened = onOpened;
        this.onRefused = onRefused;
    }

    /**
     * Opens a session with these credentials, then replaces the current one. No effect when the
     * current session has these or newer credentials.
     */
    void open(BrokerCredentials given, long version, Duration timeout) throws IOException, InterruptedException {
        while (true) {
            Opening current;
            synchronized (this) {
                if (session != null && credentials != null && version <= credentials.version) {
                    return;
                }
                current = opening == null ? startOpening(new Versioned(given, version)) : opening;
            }
            if (current.version >= version) {
                current.call.await(timeout);
                return;
            }
            awaitEarlier(current, timeout);
        }
    }

    /** Ignores the failure of an opening with older credentials: the newer ones are tried next. */
    private static void awaitEarlier(Opening earlier, Duration timeout) throws IOException, InterruptedException {
        try {
            earlier.call.await(timeout);
        } catch (IOException refused) {
            if (!earlier.call.isDone()) {
                throw refused;
            }
        }
    }

    /**
     * The session; opens it again when it was closed as unhealthy.
     *
     * @throws IOException when the broker does not answer in time, or refuses the credentials
     */
    BrokerSession get(Duration timeout) throws IOException, InterruptedException {
        Opening current;
        synchronized (this) {
            if (session != null) {
                return session;
            }
            current = opening == null ? startOpening(lastCredentials()) : opening;
        }
        return current.call.await(timeout);
    }

    private Versioned lastCredentials() throws IOException {
        if (credentials == null) {
            throw new IOException("this worker has no credentials of account " + account);
        }
        return credentials;
    }

    /**
     * Calls the session; opens it again when it was closed as unhealthy.
     *
     * @param what for logs
     * @param within the call and, when needed, the opening
     * @throws IOException as {@link #get}, and the call's own
     */
    <T> T call(String what, Duration within, Sessions.SessionCall<T> call) throws IOException, InterruptedException {
        long startedNanos = System.nanoTime();
        BrokerSession open = get(within);
        return calls.execute(what, within.minusNanos(System.nanoTime() - startedNanos), () -> call.execute(open));
    }

    /** Whether this worker has credentials to open the session with. */
    synchronized boolean isKnown() {
        return credentials != null && !closed;
    }

    /** As {@link BrokerSession#requestsUsed}; 0 without a session. */
    synchronized int requestsUsed() {
        return session == null ? 0 : session.requestsUsed();
    }

    /** Pings the broker. Closes an unhealthy session; opens a closed one again. */
    void check(Duration timeout) throws InterruptedException {
        BrokerSession checked = null;
        try {
            checked = get(timeout);
            BrokerSession pinged = checked;
            calls.execute("ping of " + account, timeout, () -> {
                pinged.ping();
                return true;
            });
        } catch (IOException unhealthy) {
            LOG.warn("the session of {} is unhealthy: {}", account.masked(), unhealthy.getMessage());
            if (checked != null) {
                discard(checked);
            }
            if (unhealthy instanceof RefusedException) {
                onRefused.accept(account);
            }
        }
    }

    /** The same in the background, when an order met a broker that rejects the credentials. */
    void checkSoon(Duration timeout) {
        Thread.ofVirtual().name("check").start(() -> {
            try {
                check(timeout);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private synchronized void discard(BrokerSession unhealthy) {
        if (session == unhealthy) {
            session = null;
        }
        unhealthy.close();
    }

    /** Closes for good. */
    synchronized void close() {
        closed = true;
        credentials = null;
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private synchronized Opening startOpening(Versioned with) throws IOException {
        if (closed) {
            throw new IOException("the session of " + account + " was closed");
        }
        Opening started = new Opening(with.version, calls.start("opening of " + account, () -> {
            try {
                return replace(with, opener.open(account, with.credentials));
            } finally {
                endOpening();
            }
        }));
        opening = started;
        return started;
    }

    private synchronized BrokerSession replace(Versioned with, BrokerSession fresh) throws IOException {
        if (closed) {
            fresh.close();
            throw new IOException("the session of " + account + " was closed");
        }
        BrokerSession previous = session;
        session = fresh;
        credentials = with;
        if (previous != null) {
            previous.close();
        }
        LOG.info("opened the session of {} with version {} of its credentials", account.masked(), with.version);
        onOpened.accept(account);
        return fresh;
    }

    private synchronized void endOpening() {
        opening = null;
    }
}
