package dev.berth.host.broker.fix;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import quickfix.Message;

/** Messages that wait for an answer. */
final class FixCalls {
    static final WriteGate OPEN = Optional::empty;
    /**
     * Between the gate and the first byte is the write of the journal; when that takes longer, the
     * gate may not hold any more.
     */
    private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(1);

    /** Of this process: the epoch is another process's as well when it opens a session again. */
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final FixLink link;
    private final long epoch;
    private final Set<FixCall> pending = ConcurrentHashMap.newKeySet();

    FixCalls(FixLink link, long epoch) {
        this.link = link;
        this.epoch = epoch;
    }

    /** An id for a request, of another form than those of orders. */
    String newId(String what) {
        return what + ":" + epoch + ":" + NUMBERS.incrementAndGet();
    }

    /**
     * Sends a message and waits for its answers.
     *
     * @param id with which a refusal names it
     * @param gate called when the session is logged on, before the message is stored
     * @throws NotSentException when nothing was written, nor ever will be
     * @throws IOException when the outcome is unknown
     */
    List<Message> execute(Message message, String id, FixCall.Answers answers, Duration limit, WriteGate gate)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        FixConnection connection = link.await(deadlineNanos);
        Optional<Declined> objection = gate.objection();
        if (objection.isPresent()) {
            throw new ObjectionException(objection.get());
        }
        FixCall call = new FixCall(message, id, WRITTEN_WITHIN, answers);
        pending.add(call);
        try {
            if (!connection.send(call) && !call.isWritten()) {
                throw new NotSentException("the session ended before it was written", new IOException());
            }
            return call.await(deadlineNanos);
        } finally {
            pending.remove(call);
        }
    }

    /** As {@link #execute}, for a request that has one answer and needs no gate. */
    Message ask(Message message, String id, FixCall.Answers answers, Duration limit)
            throws IOException, InterruptedException {
        return execute(message, id, answers, limit, OPEN).getLast();
    }

    /** Whether a call waits for the message. */
    boolean answered(Message message) {
        boolean isAwaited = false;
        // Not to a call that an answered one lets begin.
        for (FixCall call : List.copyOf(pending)) {
            isAwaited |= call.offer(message);
        }
        return isAwaited;
    }

    /** Nothing answers over a connection that has ended. */
    void ended() {
        pending.forEach(call -> call.fail(new IOException("the connection ended before an answer")));
    }
}
