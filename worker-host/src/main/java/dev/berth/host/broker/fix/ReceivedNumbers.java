package dev.berth.host.broker.fix;

import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.workflows.ExponentialBackoff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of the counterparty's messages count, during one connection. One counts once all before it
 * do and what it reported is with its order; then the journal has it, and the counterparty is never
 * asked for it again. What does not count when the connection ends is repeated over the next one.
 * The engine itself goes on meanwhile.
 */
final class ReceivedNumbers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivedNumbers.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** At the end; a call of the journal takes no longer. */
    private static final Duration LAST_WRITE = Duration.ofSeconds(3);

    private record Numbered(int number, FixOrderChange change) {}

    /** What the journal is told at once, unless the numbers begin anew before that. */
    private record Batch(int during, int next, List<FixOrderChange> changes) {}

    /** A write of the journal. */
    interface Write {
        void execute() throws IOException;
    }

    private final FixJournal journal;
    private final Consumer<Throwable> onFailure;
    /** Held during a write of the journal: nothing counts that was said before a reset. */
    private final Object writing = new Object();

    private final NavigableSet<Integer> undelivered = new TreeSet<>();
    private final Deque<Numbered> changes = new ArrayDeque<>();
    private int next;
    private int counted;
    private int resets;
    private boolean closed;
    private final Thread writer;

    /**
     * Begins behind what counts already.
     *
     * @param onFailure a report was not delivered, or a later process has the session; the
     *     connection has to end
     */
    ReceivedNumbers(FixJournal journal, int next, Consumer<Throwable> onFailure) {
        this.journal = journal;
        this.onFailure = onFailure;
        this.next = next;
        this.counted = next;
        this.writer = Thread.ofVirtual().name("fix-received").unstarted(this::writeAll);
        writer.start();
    }

    /** The number that the engine expects. */
    synchronized int next() {
        return next;
    }

    /** Before the engine passes a message: it counts only after its delivery. */
    void begin(int number, List<FixOrderChange> said, CompletionStage<Void> delivery) {
        int during;
        synchronized (this) {
            during = resets;
            undelivered.add(number);
            said.forEach(change -> changes.add(new Numbered(number, change)));
        }
        delivery.whenComplete((_, failure) -> {
            if (failure == null) {
                delivered(number, during);
            } else {
                onFailure.accept(failure);
            }
        });
    }

    private synchronized void delivered(int number, int during) {
        if (during == resets) {
            undelivered.remove(number);
            notifyAll();
        }
    }

    /** The engine has passed all messages before this number. */
    synchronized void passed(int number) {
        next = number;
        notifyAll();
    }

    /** Both sides begin anew with 1. */
    void reset(Write reset) throws IOException {
        synchronized (writing) {
            synchronized (this) {
                resets++;
                undelivered.clear();
                changes.clear();
                next = 1;
                counted = 1;
            }
            reset.execute();
        }
    }

    private synchronized boolean isCurrent(Batch batch) {
        return batch.during == resets;
    }

    private synchronized int countable() {
        return undelivered.isEmpty() ? next : Math.min(next, undelivered.first());
    }

    private void writeAll() {
        ExponentialBackoff pauses = new ExponentialBackoff(FIRST_PAUSE, LONGEST_PAUSE);
        try {
            for (Batch batch = nextBatch(); batch != null; batch = nextBatch()) {
                while (!write(batch)) {
                    Thread.sleep(pauses.next());
                }
                pauses.reset();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** False to try again: until then no more messages count. */
    private boolean write(Batch batch) {
        try {
            synchronized (writing) {
                if (isCurrent(batch)) {
                    journal.received(batch.next, batch.changes);
                }
            }
            return true;
        } catch (FixJournal.FencedException fenced) {
            onFailure.accept(fenced);
            return true;
        } catch (IOException unavailable) {
            LOG.warn("messages before {} do not count yet: {}", batch.next, unavailable.getMessage());
            return isClosed();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Null at the end. */
    private synchronized @Nullable Batch nextBatch() throws InterruptedException {
        while (countable() <= counted) {
            if (closed) {
                return null;
            }
            wait();
        }
        int end = countable();
        List<FixOrderChange> batch = new ArrayList<>();
        while (!changes.isEmpty() && changes.peekFirst().number() < end) {
            if (batch.size() == FixReceivedRequest.MOST_CHANGES) {
                // The rest counts with the next call.
                end = changes.peekFirst().number();
                break;
            }
            batch.add(changes.removeFirst().change());
        }
        counted = end;
        return new Batch(resets, end, batch);
    }

    /** Writes what counts by now, if the journal answers. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            if (!writer.join(LAST_WRITE)) {
                writer.interrupt();
            }
        } catch (InterruptedException interrupted) {
            writer.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
