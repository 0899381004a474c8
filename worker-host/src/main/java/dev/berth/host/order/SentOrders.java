package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * When the orders that this process sends were accepted, and a lock: while all orders of a venue
 * are canceled at once, none is sent. The lock holds for all accounts of the user, since two of
 * them, such as one for equities and one for crypto, may be one account at the venue.
 */
public final class SentOrders {
    private static final int REMEMBERED = 10_000;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<ClientOrderId, Instant> accepted = new BoundedMap<>(REMEMBERED);

    /** A call of a broker. */
    public interface BrokerCall<T> {
        T execute() throws IOException, InterruptedException;
    }

    /**
     * Sends an order.
     *
     * @param patience while {@link #whileNoneIsSent} runs
     * @throws NotSentException when that runs for longer: the order may be sent later
     */
    public <T> T send(OrderRequest order, Duration patience, BrokerCall<T> sending)
            throws IOException, InterruptedException {
        synchronized (accepted) {
            accepted.put(order.clientOrderId(), order.submittedAt());
        }
        if (!lock.readLock().tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            IOException busy = new IOException("all orders of the user are being canceled");
            throw new NotSentException("no order is sent now", busy);
        }
        try {
            return sending.execute();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Whether this process sent, or is to send, the order, and it was accepted after this time. */
    public boolean isAcceptedAfter(ClientOrderId id, Instant time) {
        synchronized (accepted) {
            return accepted.getOrDefault(id, Instant.MIN).isAfter(time);
        }
    }

    /**
     * Makes a call while no order is sent.
     *
     * @param patience for an order that is being sent
     * @throws IOException also when one is sent for longer
     */
    public <T> T whileNoneIsSent(Duration patience, BrokerCall<T> call) throws IOException, InterruptedException {
        if (!lock.writeLock().tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("an order is being sent for longer than " + patience);
        }
        try {
            return call.execute();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
