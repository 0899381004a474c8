package dev.berth.local.venue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The book and its journal behind one lock, so that the journal and the trade updates have the same
 * order of events.
 */
final class BookLedger implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Book book = new Book();
    private final Journal journal;
    private final DeliveredPosition delivered;
    private final Outbox outbox;
    /** Applied under the lock and not yet in the journal. */
    private final List<BookEvent> recorded = new ArrayList<>();

    private final List<TradeUpdate> updates = new ArrayList<>();

    /**
     * Restores the book from the file.
     *
     * @throws IOException as {@link Journal#open} does
     */
    BookLedger(Path bookFile) throws IOException {
        delivered = DeliveredPosition.beside(bookFile);
        outbox = new Outbox(delivered::write);
        long end = delivered.read();
        journal = Journal.open(bookFile, (event, position) -> restore(event, position >= end));
        outbox.add(journal.durable(), List.copyOf(updates));
        updates.clear();
    }

    /** @param isUndelivered whether a venue that was killed did not deliver the event's update */
    private void restore(BookEvent event, boolean isUndelivered) {
        book.apply(event);
        var update = isUndelivered ? TradeUpdate.of(event, book) : null;
        if (update != null) {
            updates.add(update);
        }
    }

    /** The receiver gets all updates from now on, first those that a killed venue left. */
    void subscribe(Consumer<TradeUpdate> receiver) {
        outbox.subscribe(receiver);
        outbox.deliver(journal.durable());
    }

    /**
     * Runs {@code work} under the lock and returns when everything that it recorded or read is on
     * disk, also after a failure. Its records are atomic. The wait for the disk is outside the
     * lock, so one force serves all waiting callers.
     */
    <T extends @Nullable Object> T transact(Function<Book, T> work) {
        lock.lock();
        long position = journal.written();
        try {
            return work.apply(book);
        } finally {
            try {
                position = write();
            } finally {
                lock.unlock();
            }
            journal.force(position);
            outbox.deliver(journal.durable());
        }
    }

    /** Applies an event. Only within {@link #transact}. */
    void record(BookEvent event) {
        book.apply(event);
        recorded.add(event);
        var update = TradeUpdate.of(event, book);
        if (update != null) {
            updates.add(update);
        }
    }

    /** Sends an update without a change of the book. Only within {@link #transact}. */
    void publish(TradeUpdate update) {
        updates.add(update);
    }

    /** Records one event without a wait for the disk; the next transaction forces it. */
    void recordUnforced(BookEvent event) {
        lock.lock();
        try {
            record(event);
            write();
        } finally {
            lock.unlock();
        }
    }

    private long write() {
        if (recorded.isEmpty() && updates.isEmpty()) {
            return journal.written();
        }
        long position = recorded.isEmpty() ? journal.written() : journal.append(recorded);
        outbox.add(position, List.copyOf(updates));
        recorded.clear();
        updates.clear();
        return position;
    }

    @Override
    public void close() throws IOException {
        journal.close();
        delivered.close();
    }
}
