package dev.berth.host.broker.fix;

import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.DefaultSessionFactory;
import quickfix.InvalidMessage;
import quickfix.MessageUtils;
import quickfix.Session;
import quickfix.SessionSettings;

/**
 * One connection, from its logon to its end, with an engine of its own. The next connection begins
 * with what the journal has.
 */
final class FixConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FixConnection.class);
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** Heartbeats that may be missing; the engine asks after the first. */
    private static final int SILENCE = 3;

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LOGOUT = Duration.ofSeconds(2);

    private final ReceivedNumbers received;
    private final FixSocket socket;
    private final FixCallbacks application;
    private final Session engine;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<IOException> end = new CompletableFuture<>();

    /**
     * Connects, without a logon yet.
     *
     * @throws FixJournal.FencedException when a later process has the session
     * @throws IOException when the journal or the counterparty cannot be reached
     */
    FixConnection(FixSettings settings, FixCounterparty counterparty, FixJournal journal, FixCallbacks.Owner owner)
            throws IOException {
        FixNumbers numbers = journal.open();
        Duration heartbeat = settings.heartbeat();
        this.socket = FixSocket.connect(counterparty, CONNECT, heartbeat.multipliedBy(SILENCE));
        this.received = new ReceivedNumbers(journal, numbers.nextTarget(), this::failed);
        JournalStore store = new JournalStore(journal, numbers.nextSender(), received, this::failed);
        this.application = new FixCallbacks(owner, received);
        try {
            this.engine = new DefaultSessionFactory(
                            application, _ -> store, _ -> QuietFixLog.INSTANCE, new DefaultMessageFactory())
                    .create(counterparty.sessionId(), engineSettings(settings));
        } catch (ConfigError wrong) {
            socket.close();
            received.close();
            throw new IOException(wrong);
        }
    }

    private static SessionSettings engineSettings(FixSettings settings) {
        SessionSettings engine = new SessionSettings();
        engine.setString("ConnectionType", "initiator");
        engine.setString("StartTime", "00:00:00");
        engine.setString("EndTime", "00:00:00");
        engine.setString("NonStopSession", "Y");
        engine.setString("UseDataDictionary", "N");
        engine.setString("CheckLatency", "N");
        engine.setString("RequiresOrigSendingTime", "N");
        engine.setLong("HeartBtInt", settings.heartbeat().toSeconds());
        engine.setString("ResetOnLogon", settings.resetOnLogon() ? "Y" : "N");
        return engine;
    }

    /** Logs on, and goes on until the end. */
    void start() {
        engine.setResponder(socket);
        Thread.ofVirtual().name("fix-reader").start(this::readAll);
        Thread.ofVirtual().name("fix-timer").start(this::tickAll);
    }

    private void readAll() {
        try {
            while (!ended.get()) {
                String text = socket.read();
                try {
                    engine.next(MessageUtils.parse(engine, text));
                    if (application.takeProbe()) {
                        engine.generateTestRequest(FixCallbacks.PROBE);
                    }
                } catch (InvalidMessage garbled) {
                    // Its number is missing now, so that the next message asks for it again.
                    LOG.warn("a message of the counterparty is garbled");
                }
            }
        } catch (Exception lost) {
            end(lost instanceof IOException io ? io : new IOException(lost));
        }
    }

    /** Logon, heartbeats and test requests. */
    private void tickAll() {
        try {
            do {
                engine.next();
                if (!engine.hasResponder()) {
                    end(new IOException("the session ended"));
                }
            } while (!isEndedWithin(TICK));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException failed) {
            end(new IOException(failed));
        }
    }

    private boolean isEndedWithin(Duration time) throws InterruptedException {
        try {
            end.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException lives) {
            return false;
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        }
    }

    private void failed(Throwable why) {
        // Not on this thread, which may have the engine's locks.
        Thread.ofVirtual().start(() -> end(why instanceof IOException io ? io : new IOException(why)));
    }

    /** Ends it once. */
    private void end(IOException why) {
        if (ended.compareAndSet(false, true)) {
            socket.close();
            try {
                engine.disconnect("ended", false);
                engine.close();
            } catch (IOException closed) {
                LOG.debug("the engine did not close: {}", closed.getMessage());
            }
            application.ended(why);
            received.close();
            end.complete(why);
        }
    }

    /** Writes a call's message, if the session is logged on. */
    boolean send(FixCall call) {
        return engine.isLoggedOn() && call.send(engine::send);
    }

    /** True when the counterparty answers in time. */
    boolean answers(String testId, Duration within) throws InterruptedException {
        CompletableFuture<Void> answer = application.expectHeartbeat(testId);
        try {
            engine.generateTestRequest(testId);
            answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException silent) {
            return false;
        } finally {
            application.forgetHeartbeat(testId);
        }
    }

    /** Waits for the end, and returns why. */
    IOException awaitEnd() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Tells the counterparty, if it listens. */
    @Override
    public void close() {
        application.stopReporting();
        try {
            if (engine.isLoggedOn()) {
                engine.logout();
                engine.next();
                if (!isEndedWithin(LOGOUT)) {
                    LOG.debug("the counterparty did not answer the logout");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException failed) {
            LOG.debug("the counterparty was not told of the end: {}", failed.getMessage());
        }
        end(new IOException("the session was closed"));
    }
}
