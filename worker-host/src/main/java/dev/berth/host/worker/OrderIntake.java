package dev.berth.host.worker;

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

    /** Of its own, so that it can be started later than the control queue, and shut down alone. */
    private final WorkerFactory orders;

    private boolean open;
    private boolean shut;

    OrderIntake(WorkerFactory orders) {
        this.orders = orders;
    }

    /**
     * Takes orders from now on. Does so already: nothing happens.
     *
     * @return whether this call began it
     * @throws IOException when it is shut
     */
    synchronized boolean open() throws IOException {
        if (shut) {
            throw new IOException("this worker is closing");
        }
        if (open) {
            return false;
        }
        orders.start();
        open = true;
        return true;
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
