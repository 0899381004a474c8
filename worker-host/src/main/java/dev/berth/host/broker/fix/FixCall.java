package dev.berth.host.broker.fix;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import quickfix.Message;
import quickfix.field.BusinessRejectRefID;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.RefSeqNum;

/** A message that is sent, and what answers it. */
final class FixCall {
    private static final ScopedValue<FixCall> CURRENT = ScopedValue.newInstance();

    /** Which messages answer, and after which none follows. */
    interface Answers {
        boolean has(Message message);

        default boolean isLast(Message message, int count) {
            return true;
        }
    }

    private final Message message;
    private final String id;
    private final Answers awaited;
    private final List<Message> answers = new ArrayList<>();
    private final CompletableFuture<List<Message>> result = new CompletableFuture<>();
    private final long writtenUntilNanos;
    private volatile boolean isWritten;

    /**
     * A call that is not sent yet.
     *
     * @param id with which a BusinessMessageReject names it
     * @param writtenWithin later it is not written any more
     */
    FixCall(Message message, String id, Duration writtenWithin, Answers awaited) {
        this.message = message;
        this.id = id;
        this.awaited = awaited;
        this.writtenUntilNanos = System.nanoTime() + writtenWithin.toNanos();
    }

    /** The call whose message this thread hands to the engine. */
    static Optional<FixCall> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Hands the message to the engine; false when it was not, or not wholly, written. */
    boolean send(Predicate<Message> engine) {
        return ScopedValue.where(CURRENT, this).call(() -> engine.test(message));
    }

    /** Right before the first byte; from then on the outcome is unknown. */
    boolean mayBeWritten() {
        isWritten = System.nanoTime() - writtenUntilNanos < 0;
        return isWritten;
    }

    boolean isWritten() {
        return isWritten;
    }

    /** Whether the message is an answer, which is kept. */
    synchronized boolean offer(Message said) {
        if (!isWritten) {
            return false;
        }
        boolean isRefusal = FixMessages.isReject(said) && names(said);
        if (!isRefusal && !awaited.has(said)) {
            return false;
        }
        answers.add(said);
        if (isRefusal || awaited.isLast(said, answers.size())) {
            result.complete(List.copyOf(answers));
        }
        return true;
    }

    /** A Reject names the number alone, a BusinessMessageReject also the id. */
    private boolean names(Message reject) {
        Optional<String> number = message.getHeader().getOptionalString(MsgSeqNum.FIELD);
        return (number.isPresent() && FixMessages.has(reject, RefSeqNum.FIELD, number.get()))
                || (FixMessages.is(reject, MsgType.BUSINESS_MESSAGE_REJECT)
                        && FixMessages.has(reject, BusinessRejectRefID.FIELD, id));
    }

    void fail(IOException why) {
        result.completeExceptionally(why);
    }

    /** @throws IOException when the outcome is unknown */
    List<Message> await(long deadlineNanos) throws IOException, InterruptedException {
        try {
            return result.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("the counterparty did not answer in time");
        } catch (ExecutionException failed) {
            throw new IOException(failed);
        }
    }
}
