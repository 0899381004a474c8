package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.ExponentialBackoff;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection logged on, until it is closed or refused, or a later process has the
 * session.
 */
final class FixLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FixLink.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** Makes each connection, and hears of its end. */
    interface Connections {
        FixConnection connect() throws IOException;

        void ended();
    }

    private final Connections connections;
    private final FixSettings settings;
    private final Thread keeper = Thread.ofVirtual().name("fix-link").unstarted(this::keep);
    private @Nullable FixConnection current;
    private boolean isLoggedOn;
    private boolean isClosed;
    /** Nothing but a new session leads out of these. */
    private @Nullable IOException lasting;

    private @Nullable String lastWords;
    /** Why the last connection was not encrypted; it quotes a certificate at most. */
    private @Nullable String tlsFailure;

    FixLink(FixSettings settings, Connections connections) {
        this.settings = settings;
        this.connections = connections;
    }

    void start() {
        keeper.start();
    }

    private void keep() {
        ExponentialBackoff pauses = new ExponentialBackoff(FIRST_PAUSE, LONGEST_PAUSE);
        try {
            while (!isOver()) {
                boolean wasLoggedOn = false;
                try {
                    FixConnection connection = connections.connect();
                    if (!begin(connection)) {
                        connection.close();
                        return;
                    }
                    connection.start();
                    wasLoggedOn = end(connection.awaitEnd());
                } catch (IOException unreachable) {
                    end(unreachable);
                }
                if (wasLoggedOn) {
                    pauses.reset();
                }
                connections.ended();
                awaitClose(pauses.next());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            LOG.error("the FIX session ended", failed);
            end(new IOException(failed));
        }
    }

    private synchronized boolean isOver() {
        return isClosed || lasting != null;
    }

    private synchronized boolean begin(FixConnection connection) {
        current = connection;
        return !isClosed;
    }

    /** Whether it had been logged on. */
    private synchronized boolean end(IOException why) {
        boolean was = isLoggedOn;
        isLoggedOn = false;
        current = null;
        if (why instanceof FixJournal.FencedException) {
            lasting = why;
        }
        tlsFailure = why instanceof SSLException ? why.getMessage() : null;
        if (!isClosed) {
            LOG.warn("the FIX session is down: {}", lasting == null ? why.getMessage() : lasting.getMessage());
        }
        notifyAll();
        return was;
    }

    private synchronized void awaitClose(Duration pause) throws InterruptedException {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toMillis(); left > 0 && !isOver(); left = millisUntil(end)) {
            wait(left);
        }
    }

    private static long millisUntil(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
    }

    /** The counterparty accepted the logon. */
    synchronized void loggedOn() {
        isLoggedOn = true;
        lastWords = null;
        notifyAll();
    }

    /** The counterparty ends the session, with these words. */
    synchronized void loggedOut(String words) {
        isLoggedOn = false;
        lastWords = words;
        if (!isClosed && settings.isRefusal(words)) {
            lasting = new RefusedException("the broker refused the credentials");
        }
        notifyAll();
    }

    /**
     * The connection, logged on.
     *
     * @throws NotSentException when there is none in time
     */
    synchronized FixConnection await(long deadlineNanos) throws NotSentException, InterruptedException {
        while (true) {
            if (lasting != null) {
                throw new NotSentException(String.valueOf(lasting.getMessage()), lasting);
            }
            if (isClosed) {
                throw new NotSentException("the session was closed", new IOException());
            }
            if (isLoggedOn && current != null) {
                return current;
            }
            long left = millisUntil(deadlineNanos);
            if (left <= 0) {
                throw new NotSentException(
                        "the session is not logged on" + (tlsFailure == null ? "" : ": " + tlsFailure),
                        new IOException(lastWords));
            }
            wait(left);
        }
    }

    /** @throws RefusedException when the counterparty refused the credentials */
    synchronized void requireAccepted() throws RefusedException {
        if (lasting instanceof RefusedException) {
            throw new RefusedException(String.valueOf(lasting.getMessage()));
        }
    }

    @Override
    public void close() {
        FixConnection closing;
        synchronized (this) {
            isClosed = true;
            closing = current;
            notifyAll();
        }
        if (closing != null) {
            closing.close();
        }
        try {
            keeper.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
