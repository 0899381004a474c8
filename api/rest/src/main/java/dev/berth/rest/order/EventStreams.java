package dev.berth.rest.order;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.Problem;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Open event streams: limited per user and per process. A stream ends with its token or with the
 * process.
 */
@Component
class EventStreams {
    /** A stream ends with its order or its token, at an unknown time. */
    private static final long RETRY_AFTER_SECONDS = 30;

    private final OrderChangeListener changes;
    private final BerthSettings.Streams limits;
    private final InstantSource clock;
    private final Set<Slot> slots = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    @Autowired
    EventStreams(OrderChangeListener changes, BerthSettings settings, InstantSource clock) {
        this(changes, settings.streams(), clock);
    }

    EventStreams(OrderChangeListener changes, BerthSettings.Streams limits, InstantSource clock) {
        this.changes = changes;
        this.limits = limits;
        this.clock = clock;
    }

    /** One open stream and the subscription that wakes it. Close it when the stream ends. */
    final class Slot implements AutoCloseable {
        private final UserId userId;
        private final Instant end;
        private final OrderChangeListener.Subscription subscription;

        private Slot(UserId userId, Instant end, OrderChangeListener.Subscription subscription) {
            this.userId = userId;
            this.end = end;
            this.subscription = subscription;
        }

        /** Waits for a change of the user's orders, until the timeout or the stream's end. */
        void await(Duration timeout) throws InterruptedException {
            Duration left = Duration.between(clock.instant(), end);
            subscription.await(left.compareTo(timeout) < 0 ? left : timeout);
        }

        /**
         * False when the stream must end; the client reconnects with a valid token and
         * Last-Event-ID.
         */
        boolean isOpen() {
            return !closing && clock.instant().isBefore(end);
        }

        @Override
        public void close() {
            slots.remove(this);
            subscription.close();
        }
    }

    /**
     * Opens a stream.
     *
     * @param end when the caller's token expires
     * @throws Problem.Refusal when a limit is reached, or the token has expired
     */
    Slot open(UserId userId, Instant end) throws InterruptedException {
        // Security accepts a token for one more minute, since clocks differ. The stream would end
        // at once, and its client would reconnect at once.
        if (!clock.instant().isBefore(end)) {
            throw Problem.UNAUTHENTICATED.because("The token has expired. Ask for a new one.");
        }
        Slot slot = new Slot(userId, end, changes.subscribe(userId));
        try {
            add(slot);
        } catch (Problem.Refusal refused) {
            slot.close();
            throw refused;
        }
        return slot;
    }

    private synchronized void add(Slot slot) {
        long ofUser =
                slots.stream().filter(other -> other.userId.equals(slot.userId)).count();
        if (ofUser >= limits.maxPerUser()) {
            throw Problem.TOO_MANY_STREAMS.because("You have " + ofUser
                    + " event streams open. Close one, or send the request without Accept: text/event-stream.");
        }
        if (slots.size() >= limits.max()) {
            throw Problem.STREAMS_EXHAUSTED
                    .because("Send the request without Accept: text/event-stream, or try again later.")
                    .after(RETRY_AFTER_SECONDS);
        }
        slots.add(slot);
    }

    /** A graceful shutdown waits for open requests, and streams do not end by themselves. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        closing = true;
        slots.forEach(slot -> slot.subscription.wake());
    }
}
