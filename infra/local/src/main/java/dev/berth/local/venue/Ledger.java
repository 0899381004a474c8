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
 * The book and its journal behind one lock, so that there is one order of events, and that is the
 * order of the journal's lines and of the trade updates.
 */
final class Ledger implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Book book = new Book();
    private final Journal journal;
    private final Outbox outbox = new Outbox();
    /** What happened under the lock and is not in the journal yet. */
    private final List<BookEvent> happened = new ArrayList<>();

    private final List<TradeUpdate> updates = new ArrayList<>();

    /**
     * Carries on from what the file holds.
     *
     * @throws IOException as {@link Journal#open} does
     */
    Ledger(Path bookFile) throws IOException {
        journal = Journal.open(bookFile, book::apply);
    }

    void subscribe(Consumer<TradeUpdate> receiver) {
        outbox.subscribe(receiver);
    }

    /**
     * Runs {@code work} alone with the book, and ends only when what it recorded, and what it saw, is
     * on disk; also when it fails. What it records is kept whole or not at all. The disk is waited for
     * outside the lock: meanwhile others go on, and one force serves all who wait.
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
        happened.add(event);
        var update = TradeUpdate.of(event, book);
        if (update != null) {
            updates.add(update);
        }
    }

    /** Tells of something that changes nothing in the book. Only within {@link #transact}. */
    void tell(TradeUpdate update) {
        updates.add(update);
    }

    /** Records one event without waiting for the disk: the next transaction's force takes it along. */
    void note(BookEvent event) {
        lock.lock();
        try {
            record(event);
            write();
        } finally {
            lock.unlock();
        }
    }

    private long write() {
        if (happened.isEmpty() && updates.isEmpty()) {
            return journal.written();
        }
        long position = happened.isEmpty() ? journal.written() : journal.append(happened);
        outbox.add(position, List.copyOf(updates));
        happened.clear();
        updates.clear();
        return position;
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
