package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.VenueClientOrderId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the account's one {@code trade_updates} stream. After each gap, and every few seconds
 * without a stream, it asks for what the stream did not report.
 */
final class AlpacaStream {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaStream.class);
    private static final Duration FIRST_RECONNECT = Duration.ofSeconds(1);
    /** The venue may refuse streams until it has reaped the one of a killed process. */
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(15);

    /** In place of the stream, while it is unavailable: two requests. */
    private static final Duration WITHOUT_STREAM = Duration.ofSeconds(3);
    /** The stream reports within milliseconds: one that is behind a list for longer is deaf. */
    private static final Duration DEAF = Duration.ofSeconds(2);
    /** So long a check proves that the stream reports; sessions are checked every minute. */
    private static final Duration PROOF = Duration.ofMinutes(3);

    private final AlpacaHttp http;
    private final KnownOrders known;
    private final AlpacaOpenOrders open;
    private final SessionListener listener;
    private final AlpacaReconciliation reconciliation;
    private final ExponentialBackoff reconnects = new ExponentialBackoff(FIRST_RECONNECT, LONGEST_RECONNECT);
    private @Nullable AlpacaTradeUpdates connection;
    private @Nullable Long provenAt;
    private boolean isSuspected;
    private boolean closed;

    AlpacaStream(
            AlpacaHttp http,
            KnownOrders known,
            AlpacaOpenOrders open,
            SessionListener listener,
            AlpacaReconciliation reconciliation) {
        this.http = http;
        this.known = known;
        this.listener = listener;
        this.open = open;
        this.reconciliation = reconciliation;
    }

    /** Connects in the background, and again until closed. */
    void start() {
        connect();
        after(FIRST_RECONNECT, this::reconcileWithoutStream);
    }

    /** Whether the session surely hears of every change. */
    synchronized boolean isProven() {
        return provenAt != null && System.nanoTime() - provenAt < PROOF.toNanos();
    }

    private synchronized void connect() {
        if (!closed) {
            connection = new AlpacaTradeUpdates(http, known, open, listener, new Listener());
            connection.connect();
        }
    }

    private final class Listener implements AlpacaTradeUpdates.Listener {
        @Override
        public void listening(AlpacaTradeUpdates stream) {
            Thread.ofVirtual().name("reconciliation").start(() -> {
                if (reconcile()) {
                    // Also for what other applications did meanwhile.
                    listener.accountChanged();
                    proven(stream);
                } else {
                    // A fill in the gap would stay unknown.
                    stream.end("what it missed is not known");
                }
            });
        }

        @Override
        public void lost(AlpacaTradeUpdates stream, String why) {
            Duration pause;
            synchronized (AlpacaStream.this) {
                if (closed || connection != stream) {
                    return;
                }
                connection = null;
                provenAt = null;
                pause = reconnects.next();
            }
            LOG.warn("the trade_updates stream is down ({}); reconnecting in {}", why, pause);
            after(pause, AlpacaStream.this::connect);
        }
    }

    private synchronized void proven(AlpacaTradeUpdates stream) {
        if (connection == stream && stream.isListening()) {
            provenAt = System.nanoTime();
            reconnects.reset();
        }
    }

    private boolean reconcile() {
        try {
            int missed = reconciliation.run(Duration.ZERO);
            if (missed > 0) {
                LOG.info("{} orders changed while no stream reported them", missed);
            }
            return true;
        } catch (IOException | RuntimeException unavailable) {
            LOG.warn("what no stream reported is not known yet: {}", unavailable.getMessage());
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void reconcileWithoutStream() {
        boolean isNeeded;
        synchronized (this) {
            if (closed) {
                return;
            }
            isNeeded = provenAt == null;
        }
        if (isNeeded) {
            reconcile();
            listener.accountChanged();
        }
        after(WITHOUT_STREAM, this::reconcileWithoutStream);
    }

    /**
     * Compares the stream with a list of the open orders; reconnects it when it has not reported a
     * difference in time.
     *
     * @throws RefusedException when the broker rejects the credentials
     * @throws IOException when it does not answer
     */
    void check() throws IOException, InterruptedException {
        AlpacaTradeUpdates stream;
        synchronized (this) {
            stream = connection;
        }
        try {
            boolean wasListening = stream != null && stream.isListening();
            int missed = reconciliation.run(wasListening ? DEAF : Duration.ZERO);
            if (stream == null || !wasListening) {
                return;
            }
            if (missed > 0) {
                stream.end("it is open and did not report " + missed + " changes");
            } else {
                proven(stream);
                stream.ping();
            }
        } catch (BrokerSession.OverBudgetException busy) {
            LOG.info("the session is healthy, and its check is left out: {}", busy.getMessage());
        }
    }

    /** The broker accepted the order: a stream that does not report it either is checked. */
    void expect(VenueClientOrderId id) {
        after(DEAF, () -> {
            synchronized (this) {
                if (isSuspected || !isProven() || known.findStreamed(id).isPresent()) {
                    return;
                }
                isSuspected = true;
            }
            try {
                check();
            } catch (IOException unavailable) {
                LOG.warn("a stream that did not report an order cannot be checked: {}", unavailable.getMessage());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } finally {
                synchronized (this) {
                    isSuspected = false;
                }
            }
        });
    }

    private static void after(Duration pause, Runnable run) {
        var _ = CompletableFuture.runAsync(
                run,
                CompletableFuture.delayedExecutor(
                        pause.toMillis(),
                        TimeUnit.MILLISECONDS,
                        task -> Thread.ofVirtual().name("alpaca-stream").start(task)));
    }

    /** Says goodbye: the venue would count a stream that just ends for another 90 s. */
    void close() {
        AlpacaTradeUpdates open;
        synchronized (this) {
            closed = true;
            open = connection;
            connection = null;
            provenAt = null;
        }
        if (open != null) {
            open.close();
        }
    }
}
