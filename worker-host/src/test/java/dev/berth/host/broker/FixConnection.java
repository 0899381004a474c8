package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import quickfix.ApplicationAdapter;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.DoNotSend;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrigClOrdID;
import quickfix.field.Password;
import quickfix.field.PossDupFlag;
import quickfix.field.Text;

/**
 * The one live FIX session of an account. A message that was kept while the session was down is
 * never sent later: on a resend it becomes a gap fill.
 */
final class FixConnection extends ApplicationAdapter implements AutoCloseable {
    private final SessionID session;

    private final BrokerCredentials credentials;
    private final FixJournal journal;
    private final long epoch;
    private final Consumer<Message> onReport;
    private final SocketInitiator initiator;
    private final Map<String, CompletableFuture<Message>> pending = new ConcurrentHashMap<>();
    private boolean loggedOn;
    private boolean refused;

    FixConnection(int port, BrokerCredentials credentials, FixJournal journal, long epoch, Consumer<Message> onReport)
            throws IOException {
        this.credentials = credentials;
        this.journal = journal;
        this.epoch = epoch;
        this.onReport = onReport;
        // Another process of the test has another qualifier; the broker does not see it.
        this.session = new SessionID("FIX.4.4", FixBroker.CLIENT, FixBroker.BROKER, "epoch-" + epoch);
        SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "initiator");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("UseDataDictionary", "N");
        settings.setString("HeartBtInt", "5");
        settings.setString("ReconnectInterval", "1");
        settings.setString("SocketConnectHost", "127.0.0.1");
        settings.setLong("SocketConnectPort", port);
        settings.setString(session, "BeginString", "FIX.4.4");
        settings.setString(session, "SenderCompID", FixBroker.CLIENT);
        settings.setString(session, "TargetCompID", FixBroker.BROKER);
        try {
            this.initiator =
                    new SocketInitiator(this, _ -> journal.storeOf(epoch), settings, new DefaultMessageFactory());
        } catch (ConfigError wrong) {
            throw new IOException(wrong);
        }
    }

    void open(Duration limit) throws IOException, InterruptedException {
        journal.open(epoch);
        try {
            initiator.start();
        } catch (ConfigError wrong) {
            throw new IOException(wrong);
        }
        try {
            awaitLogon(System.nanoTime() + limit.toNanos());
        } catch (NotSentException failed) {
            close();
            requireAccepted();
            throw failed;
        }
    }

    synchronized void requireAccepted() throws RefusedException {
        if (refused) {
            throw new RefusedException("the broker refused the credentials");
        }
    }

    private synchronized void awaitLogon(long deadline) throws NotSentException, InterruptedException {
        while (!loggedOn) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0 || refused) {
                throw new NotSentException("there is no session", new IOException());
            }
            wait(left);
        }
    }

    @Override
    public synchronized void onLogon(SessionID from) {
        loggedOn = true;
        refused = false;
        notifyAll();
    }

    @Override
    public void onLogout(SessionID from) {
        synchronized (this) {
            loggedOn = false;
            notifyAll();
        }
        pending.values().forEach(call -> call.completeExceptionally(new IOException("the session ended")));
    }

    @Override
    public void toAdmin(Message message, SessionID from) {
        try {
            if (message.getHeader().getString(MsgType.FIELD).equals(MsgType.LOGON)) {
                message.setString(Password.FIELD, credentials.secret());
            }
        } catch (FieldNotFound malformed) {
            throw new IllegalStateException(malformed);
        }
    }

    @Override
    public void fromAdmin(Message message, SessionID from) throws FieldNotFound {
        if (message.getHeader().getString(MsgType.FIELD).equals(MsgType.LOGOUT)
                && message.isSetField(Text.FIELD)
                && message.getString(Text.FIELD).contains(FixBroker.REFUSED)) {
            synchronized (this) {
                refused = true;
                notifyAll();
            }
        }
    }

    /** Never a second time: its deadline may have passed, and its outcome is being asked for. */
    @Override
    public void toApp(Message message, SessionID from) throws DoNotSend {
        if (message.getHeader().isSetField(PossDupFlag.FIELD)) {
            throw new DoNotSend();
        }
    }

    @Override
    public void fromApp(Message message, SessionID from) throws FieldNotFound {
        onReport.accept(message);
        boolean refusesCancel = message.getHeader().getString(MsgType.FIELD).equals(MsgType.ORDER_CANCEL_REJECT);
        CompletableFuture<Message> call =
                pending.remove(message.getString(refusesCancel ? OrigClOrdID.FIELD : ClOrdID.FIELD));
        if (call != null) {
            call.complete(message);
        }
    }

    /**
     * Sends a message, and waits for the report about this id.
     *
     * @throws NotSentException when there is no session in time, or a later process has it
     * @throws IOException when the outcome is unknown
     */
    Message call(Message message, String aboutId, Duration limit, WriteGate gate)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        awaitLogon(deadline);
        Optional<Declined> objection = gate.objection();
        if (objection.isPresent()) {
            throw new ObjectionException(objection.get());
        }
        try {
            journal.require(epoch);
        } catch (IOException fenced) {
            throw new NotSentException("a later process has the session", fenced);
        }
        CompletableFuture<Message> answer = new CompletableFuture<>();
        pending.put(aboutId, answer);
        try {
            if (!Objects.requireNonNull(Session.lookupSession(session)).send(message)) {
                throw new IOException("the session ended while it was written");
            }
            return answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("no answer within " + limit);
        } catch (ExecutionException ended) {
            throw new IOException(ended.getCause());
        } finally {
            pending.remove(aboutId, answer);
        }
    }

    @Override
    public void close() {
        initiator.stop(true);
    }
}
