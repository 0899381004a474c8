package dev.berth.host.broker.fix;

import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import quickfix.ApplicationAdapter;
import quickfix.DoNotSend;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.SessionID;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.PossDupFlag;
import quickfix.field.ResetSeqNumFlag;
import quickfix.field.TestReqID;

/**
 * What the engine of one connection calls. It passes each message of the counterparty on before the
 * engine counts its number.
 */
final class FixCallbacks extends ApplicationAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(FixCallbacks.class);

    /**
     * What became of a message.
     *
     * @param changes what it said about orders
     * @param delivery ends when it is with its order
     */
    record Passed(List<FixOrderChange> changes, CompletionStage<Void> delivery) {
        static final Passed NOTHING = new Passed(List.of(), CompletableFuture.completedFuture(null));
    }

    /** Whose connection it is. No method may block. */
    interface Owner {
        /** Puts what proves the account into a Logon. */
        void identify(Message logon);

        /**
         * The counterparty accepted the logon, and has all numbers.
         *
         * @param gap whether messages were missed that it may not have any more
         */
        void loggedOn(boolean gap);

        /** The counterparty ends the session, or refuses the logon. */
        void loggedOut(String words);

        /** A message about orders. */
        Passed received(Message message);

        /** A message was refused as such. */
        void rejected(Message reject);
    }

    /** TestReqID of the question whether the counterparty has all numbers. */
    static final String PROBE = "numbers";

    private final Owner owner;
    private final ReceivedNumbers received;
    private final Map<String, CompletableFuture<Void>> heartbeats = new ConcurrentHashMap<>();
    private volatile boolean isReporting = true;
    private volatile boolean gap;
    private volatile boolean isReady;
    private volatile boolean mustProbe;

    FixCallbacks(Owner owner, ReceivedNumbers received) {
        this.owner = owner;
        this.received = received;
    }

    /** From now on no message counts: the next session hears of it. */
    void stopReporting() {
        isReporting = false;
    }

    CompletableFuture<Void> expectHeartbeat(String testId) {
        return heartbeats.computeIfAbsent(testId, _ -> new CompletableFuture<>());
    }

    void forgetHeartbeat(String testId) {
        heartbeats.remove(testId);
    }

    /** No heartbeat comes any more. */
    void ended(IOException why) {
        heartbeats.values().forEach(answer -> answer.completeExceptionally(why));
    }

    @Override
    public void toAdmin(Message message, SessionID session) {
        if (FixMessages.is(message, MsgType.LOGON)) {
            owner.identify(message);
        }
    }

    /** Never a second time: its deadline may have passed, and its outcome is being asked for. */
    @Override
    public void toApp(Message message, SessionID session) throws DoNotSend {
        if (message.getHeader().isSetField(PossDupFlag.FIELD)) {
            throw new DoNotSend();
        }
    }

    @Override
    public void fromAdmin(Message message, SessionID session) throws FieldNotFound {
        switch (message.getHeader().getString(MsgType.FIELD)) {
            case MsgType.LOGON -> {
                boolean isTooHigh = message.getHeader().getInt(MsgSeqNum.FIELD) > received.next();
                gap = isTooHigh || FixMessages.has(message, ResetSeqNumFlag.FIELD, "Y");
            }
            case MsgType.LOGOUT -> owner.loggedOut(FixMessages.words(message));
            case MsgType.HEARTBEAT -> message.getOptionalString(TestReqID.FIELD).ifPresent(this::answered);
            case MsgType.RESEND_REQUEST -> mustProbe = true;
            case MsgType.REJECT -> owner.rejected(message);
            default -> {
                // The engine's affair.
            }
        }
    }

    @Override
    public void onLogon(SessionID session) {
        mustProbe = true;
    }

    /**
     * Whether to ask now if the counterparty has all numbers: after a logon, and after each time
     * that it asked for missing ones. What is sent before it has them is lost with them: the gap is
     * filled up to the newest message.
     */
    boolean takeProbe() {
        boolean is = mustProbe && !isReady;
        mustProbe = false;
        return is;
    }

    private void answered(String testId) {
        if (testId.equals(PROBE) && !isReady) {
            isReady = true;
            owner.loggedOn(gap);
        }
        Optional.ofNullable(heartbeats.get(testId)).ifPresent(answer -> answer.complete(null));
    }

    /** An exception would have the engine refuse the message, or wait for it for ever. */
    @Override
    public void fromApp(Message message, SessionID session) throws FieldNotFound {
        int number = message.getHeader().getInt(MsgSeqNum.FIELD);
        Passed passed = isReporting ? pass(message) : new Passed(List.of(), new CompletableFuture<>());
        received.begin(number, passed.changes(), passed.delivery());
    }

    private Passed pass(Message message) {
        try {
            return owner.received(message);
        } catch (RuntimeException unreadable) {
            Optional<String> type = message.getHeader().getOptionalString(MsgType.FIELD);
            LOG.error("a message of type {} could not be passed on", type.orElse("?"), unreadable);
            return Passed.NOTHING;
        }
    }
}
