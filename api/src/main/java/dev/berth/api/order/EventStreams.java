package dev.berth.api.order;

import dev.berth.api.Problem;
import dev.berth.workflows.UserId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The event streams that are open: so many a user, and none any more when the process is about to end. */
@Component
class EventStreams {
    /** One stream an order is enough for a screen full of orders; more would let one user hold all connections. */
    static final int MOST_OF_A_USER = 20;

    private final OrderNews news;
    private final Set<Seat> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    EventStreams(OrderNews news) {
        this.news = news;
    }

    /** The right to hold a stream open, and the bell that wakes it; close it when the stream ends. */
    final class Seat implements AutoCloseable {
        private final UserId userId;
        private final OrderNews.Bell bell;

        private Seat(UserId userId) {
            this.userId = userId;
            this.bell = news.bell(userId);
        }

        OrderNews.Bell bell() {
            return bell;
        }

        /** False when the stream has to end; its client asks the next replica, from where it was. */
        boolean mayGoOn() {
            return !closing;
        }

        @Override
        public void close() {
            open.remove(this);
            bell.close();
        }
    }

    /**
     * Takes a seat.
     *
     * @throws Problem.Refusal when this user holds as many as there may be
     */
    synchronized Seat take(UserId userId) {
        long held = open.stream().filter(seat -> seat.userId.equals(userId)).count();
        if (held >= MOST_OF_A_USER) {
            throw Problem.TOO_MANY_STREAMS.because(
                    "You have " + held + " event streams open. Close one, or ask without Accept: text/event-stream.");
        }
        Seat seat = new Seat(userId);
        open.add(seat);
        return seat;
    }

    /** A graceful stop would wait for streams that never end by themselves. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        closing = true;
        open.forEach(seat -> seat.bell().ring());
    }
}
