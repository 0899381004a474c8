package dev.berth.host.broker.fix;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import quickfix.MessageStore;
import quickfix.MessageUtils;
import quickfix.field.MsgType;

/**
 * QuickFIX/J's view of the journal, during one connection. The engine writes a message only when
 * this has stored it. Nothing can be read again: in a resend every message is a gap.
 */
final class JournalStore implements MessageStore {
    private final FixJournal journal;
    private final ReceivedNumbers received;
    private final Consumer<IOException> onFailure;
    private volatile int nextSender;
    private @Nullable String text;
    private @Nullable IOException failure;

    /** @param onFailure the connection ends, since only the journal knows the next number now */
    JournalStore(FixJournal journal, int nextSender, ReceivedNumbers received, Consumer<IOException> onFailure) {
        this.journal = journal;
        this.nextSender = nextSender;
        this.received = received;
        this.onFailure = onFailure;
    }

    /** Kept for {@link #incrNextSenderMsgSeqNum}, which follows; a Logon has the password. */
    @Override
    public synchronized boolean set(int sequence, String message) {
        Optional<String> type = Optional.ofNullable(MessageUtils.getStringField(message, MsgType.FIELD));
        text = type.filter(known -> !MessageUtils.isAdminMessage(known)).isPresent() ? message : null;
        return true;
    }

    @Override
    public synchronized void incrNextSenderMsgSeqNum() throws IOException {
        String message = text;
        text = null;
        write(() -> journal.append(nextSender, message));
        nextSender++;
    }

    private interface Write {
        void execute() throws IOException;
    }

    /** After a failure nothing more is written. */
    private void write(Write write) throws IOException {
        if (failure != null) {
            throw new IOException(failure);
        }
        try {
            write.execute();
        } catch (IOException failed) {
            failure = failed;
            onFailure.accept(failed);
            throw failed;
        }
    }

    @Override
    public void get(int startSequence, int endSequence, Collection<String> messages) {
        // Its deadline may have passed, and its outcome is being asked for.
    }

    @Override
    public int getNextSenderMsgSeqNum() {
        return nextSender;
    }

    @Override
    public int getNextTargetMsgSeqNum() {
        return received.next();
    }

    @Override
    public void setNextTargetMsgSeqNum(int next) {
        received.passed(next);
    }

    @Override
    public void incrNextTargetMsgSeqNum() {
        received.passed(received.next() + 1);
    }

    /** Only a person's tool would. */
    @Override
    public void setNextSenderMsgSeqNum(int next) {
        throw new UnsupportedOperationException("the journal has the numbers of messages that were sent");
    }

    @Override
    public Date getCreationTime() {
        return Date.from(Instant.now());
    }

    @Override
    public synchronized void reset() throws IOException {
        write(() -> received.reset(journal::reset));
        nextSender = 1;
    }

    @Override
    public void refresh() {
        // A connection begins with what the journal has.
    }
}
