package dev.berth.api.order;

import dev.berth.workflows.order.OrderState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Follows one order: every step once and in order, until it is final. News on Redis only wake it; what is told comes from
 * the read model, by revision, so that news that were lost or came twice change nothing.
 */
final class LiveLog {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLog.class);

    /** Proxies cut connections on which nothing passes, most after 30 s or more. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** Without Redis nobody rings. */
    private static final Duration LOOK_WITHOUT_NEWS = Duration.ofSeconds(1);
    /** News may be lost on their way, though rarely. */
    private static final Duration LOOK_ANYWAY = Duration.ofSeconds(5);

    /** The steps after one of them, oldest first. */
    interface Steps {
        List<OrderState> after(int revision);
    }

    /** Who listens; an exception means that nobody does any more. */
    interface Listener {
        void step(OrderState step) throws IOException;

        void heartbeat() throws IOException;
    }

    private final Steps steps;
    private final Listener listener;
    private final OrderNews news;

    LiveLog(Steps steps, Listener listener, OrderNews news) {
        this.steps = steps;
        this.listener = listener;
        this.news = news;
    }

    /**
     * Tells the steps after {@code revision}, then each new one as it comes; returns after the final one.
     *
     * @throws IOException when the listener is gone
     */
    void follow(int revision, EventStreams.Seat seat) throws IOException, InterruptedException {
        int last = revision;
        long quietSince = System.nanoTime();
        while (seat.mayGoOn()) {
            List<OrderState> more = look(last);
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
            seat.bell().await(news.isListening() ? LOOK_ANYWAY : LOOK_WITHOUT_NEWS);
        }
    }

    /** A stream outlives a restart of PostgreSQL. */
    private List<OrderState> look(int last) {
        try {
            return steps.after(last);
        } catch (DataAccessException away) {
            LOG.warn("a live log waits, PostgreSQL is away: {}", away.getMessage());
            return List.of();
        }
    }
}
