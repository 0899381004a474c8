package dev.berth.host.worker;

import io.grpc.StatusRuntimeException;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door by which orders come in: opened once, with the first session, and shut once. */
final class OrderIntake {
    private static final Logger LOG = LoggerFactory.getLogger(OrderIntake.class);
    /** Longer than the longest submission, so that the order in hand is finished. */
    private static final Duration LAST_ORDER = Duration.ofSeconds(20);

    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    /** Of its own, so that it can be started later than the control queue, and shut down alone. */
    private final WorkerFactory orders;

    private boolean open;
    private boolean shut;

    OrderIntake(WorkerFactory orders) {
        this.orders = orders;
    }

    /**
     * Takes orders from now on, or from when Temporal answers: nobody who waits for a session waits for that too, since
     * orders keep in their queue. Does so already: nothing happens.
     *
     * @throws IOException when it is shut
     */
    synchronized void open() throws IOException {
        if (shut) {
            throw new IOException("this worker is closing");
        }
        if (!open) {
            open = true;
            Thread.ofVirtual().name("intake").start(this::begin);
        }
    }

    private void begin() {
        try {
            while (!hasBegun()) {
                Thread.sleep(TRY_AGAIN);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Also when it need not begin any more. */
    private synchronized boolean hasBegun() {
        if (shut) {
            return true;
        }
        try {
            orders.start();
            LOG.info("taking orders");
            return true;
        } catch (StatusRuntimeException away) {
            LOG.warn("no orders are taken before Temporal answers: {}", away.getMessage());
            return false;
        }
    }

    /** Takes no more orders, and executes what was handed to this process. Returns when none can come any more. */
    void shut() {
        synchronized (this) {
            shut = true;
        }
        orders.shutdown();
        orders.awaitTermination(LAST_ORDER.toSeconds(), TimeUnit.SECONDS);
        if (!orders.isTerminated()) {
            LOG.warn(
                    "an order is still in hand after {}; what became of it is for the next worker to find", LAST_ORDER);
        }
    }
}
