package dev.berth.rest.order;

import dev.berth.workflows.order.OrderState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Streams the steps of one order, each once and in order, until the order is final. Notices on
 * Redis only wake the stream; the steps come from the read model by revision, so that lost or
 * repeated notices change nothing.
 */
final class LiveOrderLog {
    private static final Logger LOG = LoggerFactory.getLogger(LiveOrderLog.class);

    /** Proxies close silent connections, most after 30 s or more. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** Without Redis no notice arrives. */
    private static final Duration POLL_WITHOUT_REDIS = Duration.ofSeconds(1);
    /** A notice may be lost. */
    private static final Duration POLL = Duration.ofSeconds(5);

    /** Reads the steps after a revision, oldest first. */
    interface Steps {
        List<OrderState> after(int revision);
    }

    /** Receives the stream; throws when the client disconnected. */
    interface StepListener {
        void step(OrderState step) throws IOException;

        void heartbeat() throws IOException;
    }

    private final Steps steps;
    private final StepListener listener;
    private final OrderChangeListener changes;

    LiveOrderLog(Steps steps, StepListener listener, OrderChangeListener changes) {
        this.steps = steps;
        this.listener = listener;
        this.changes = changes;
    }

    /**
     * Sends the steps after {@code revision}, then each new one. Returns after the final step.
     *
     * @throws IOException when the client disconnected
     */
    void follow(int revision, EventStreams.Slot slot) throws IOException, InterruptedException {
        int last = revision;
        long quietSince = System.nanoTime();
        while (slot.isOpen()) {
            List<OrderState> more = read(last);
            for (OrderState step : more) {
                listener.step(step);
            }
            if (!more.isEmpty()) {
                quietSince = System.nanoTime();
                last = more.getLast().revision();
                if (more.getLast().status().isFinal()) {
                    return;
                }
            } else if (System.nanoTime() - quietSince >= HEARTBEAT.toNanos()) {
                listener.heartbeat();
                quietSince = System.nanoTime();
            }
            slot.await(changes.isConnected() ? POLL : POLL_WITHOUT_REDIS);
        }
    }

    /** A stream survives a restart of PostgreSQL. */
    private List<OrderState> read(int last) {
        try {
            return steps.after(last);
        } catch (DataAccessException unavailable) {
            LOG.warn("an event stream waits, PostgreSQL does not answer: {}", unavailable.getMessage());
            return List.of();
        }
    }
}
