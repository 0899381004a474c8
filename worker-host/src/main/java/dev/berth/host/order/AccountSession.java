package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.Credentials;
import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one account. It is opened again, by whoever needs it next, from the credentials that it was last
 * opened with; these are in memory only. Whoever has taken a session goes on with it though another takes its place.
 */
final class AccountSession {
    private static final Logger LOG = LoggerFactory.getLogger(AccountSession.class);

    /** How a session is opened. */
    interface Opener {
        BrokerSession open(AccountKey account, Credentials credentials) throws IOException, InterruptedException;
    }

    /** Credentials as they were stored; {@code version} grows with each. */
    private record Key(Credentials credentials, long version) {}

    /** The one opening that is under way. */
    private record Opening(long version, BrokerCalls.Begun<BrokerSession> call) {}

    private final AccountKey account;
    private final Opener opener;
    private final BrokerCalls calls;
    private @Nullable Key key;
    private @Nullable BrokerSession session;
    private @Nullable Opening opening;
    private boolean closed;

    AccountSession(AccountKey account, Opener opener, BrokerCalls calls) {
        this.account = account;
        this.opener = opener;
        this.calls = calls;
    }

    /**
     * Opens the session with these credentials; then it takes the place of the one before. Open already with these or
     * newer ones: nothing happens.
     */
    void open(Credentials credentials, long version, Duration patience) throws IOException, InterruptedException {
        while (true) {
            Opening current;
            synchronized (this) {
                if (session != null && key != null && version <= key.version) {
                    return;
                }
                current = opening == null ? begin(new Key(credentials, version)) : opening;
            }
            if (current.version >= version) {
                current.call.await(patience);
                return;
            }
            awaitQuietly(current, patience);
        }
    }

    /** An opening with older credentials: whatever comes of it, the new ones are tried next. */
    private static void awaitQuietly(Opening earlier, Duration patience) throws IOException, InterruptedException {
        try {
            earlier.call.await(patience);
        } catch (IOException refused) {
            if (!earlier.call.isDone()) {
                throw refused;
            }
        }
    }

    /**
     * The session; opened again when it was closed as unhealthy.
     *
     * @throws IOException when the broker does not answer in time, or refuses the credentials
     */
    BrokerSession get(Duration patience) throws IOException, InterruptedException {
        Opening current;
        synchronized (this) {
            if (session != null) {
                return session;
            }
            current = opening == null ? begin(held()) : opening;
        }
        return current.call.await(patience);
    }

    private Key held() throws IOException {
        if (key == null) {
            throw new IOException("no credentials of account " + account + " are here");
        }
        return key;
    }

    /** Whether it was opened ever; else there is nothing that it could be opened with. */
    synchronized boolean isKnown() {
        return key != null && !closed;
    }

    /** Asks the broker whether the session is good. It is not: closes it. It is closed: tries to open it again. */
    void check(Duration patience) throws InterruptedException {
        BrokerSession checked = null;
        try {
            checked = get(patience);
            BrokerSession asked = checked;
            calls.make("ping of " + account, patience, () -> {
                asked.ping();
                return true;
            });
        } catch (IOException unhealthy) {
            LOG.warn("the session of {} is not good: {}", account, unhealthy.getMessage());
            if (checked != null) {
                discard(checked);
            }
        }
    }

    private synchronized void discard(BrokerSession unhealthy) {
        if (session == unhealthy) {
            session = null;
        }
        unhealthy.close();
    }

    /** Opens no more. */
    synchronized void close() {
        closed = true;
        key = null;
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private synchronized Opening begin(Key with) throws IOException {
        if (closed) {
            throw new IOException("the session of " + account + " was closed");
        }
        Opening begun = new Opening(with.version, calls.begin("opening of " + account, () -> {
            try {
                return opened(with, opener.open(account, with.credentials));
            } finally {
                over();
            }
        }));
        opening = begun;
        return begun;
    }

    private synchronized BrokerSession opened(Key with, BrokerSession fresh) throws IOException {
        if (closed) {
            fresh.close();
            throw new IOException("the session of " + account + " was closed meanwhile");
        }
        BrokerSession before = session;
        session = fresh;
        key = with;
        if (before != null) {
            before.close();
        }
        LOG.info("opened the session of {} with version {} of its credentials", account, with.version);
        return fresh;
    }

    private synchronized void over() {
        opening = null;
    }
}
