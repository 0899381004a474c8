package dev.berth.host.worker;

import io.grpc.StatusRuntimeException;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls for orders from the first open session until the worker closes. */
final class OrderPolling {
    private static final Logger LOG = LoggerFactory.getLogger(OrderPolling.class);
    /** Longer than the longest submission, so that the current order is finished. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** A factory of its own: it starts later than the control queue, and stops earlier. */
    private final WorkerFactory orders;

    private boolean started;
    private boolean stopped;

    OrderPolling(WorkerFactory orders) {
        this.orders = orders;
    }

    /**
     * Starts in the background as soon as Temporal answers; orders wait in their queue meanwhile.
     * Idempotent.
     *
     * @throws IOException when polling was stopped
     */
    synchronized void start() throws IOException {
        if (stopped) {
            throw new IOException("this worker is closing");
        }
        if (!started) {
            started = true;
            Thread.ofVirtual().name("order-polling").start(this::startWithRetries);
        }
    }

    private void startWithRetries() {
        try {
            while (!isStartedOrStopped()) {
                Thread.sleep(RETRY);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isStartedOrStopped() {
        if (stopped) {
            return true;
        }
        try {
            orders.start();
            LOG.info("polling for orders");
            return true;
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("Temporal is unavailable; polling for orders starts later: {}", unavailable.getMessage());
            return false;
        }
    }

    /** Stops polling, and returns when the orders that this process received are finished. */
    void stop() {
        synchronized (this) {
            stopped = true;
        }
        orders.shutdown();
        orders.awaitTermination(SHUTDOWN_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        if (!orders.isTerminated()) {
            LOG.warn("an order is unfinished after {}; the next worker looks it up", SHUTDOWN_TIMEOUT);
        }
    }
}
