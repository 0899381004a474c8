package dev.berth.rest.stream;

import dev.berth.activities.order.UserEvent;
import dev.berth.rest.order.OrderChangeListener;
import dev.berth.rest.websocket.CloseCode;
import dev.berth.rest.websocket.WebSocketConnection;
import dev.berth.rest.websocket.WebSocketListener;
import dev.berth.workflows.UserId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * One open stream. Events on Redis only wake it: what it sends comes from the log by position, so
 * lost, late and repeated events change nothing. Its thread waits while the client does not read,
 * so nothing is kept in memory for a slow client.
 */
final class UserStream implements WebSocketListener {
    private static final Logger LOG = LoggerFactory.getLogger(UserStream.class);
    private static final int BATCH = 100;
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** {@link StreamPositions} looks for missed events of all streams together. */
    private static final Duration IDLE = Duration.ofSeconds(15);

    private final UserStreams streams;
    private final UserId userId;
    private final boolean resumes;
    private final WorkerFollower worker;
    private volatile long position;
    private volatile OrderChangeListener.@Nullable Subscription subscription;

    /** @param resumes false when the stream begins now, and with the worker's state */
    UserStream(UserStreams streams, UserId userId, long position, boolean resumes) {
        this.streams = streams;
        this.userId = userId;
        this.position = position;
        this.resumes = resumes;
        this.worker = new WorkerFollower(streams.workers(), userId);
    }

    UserId userId() {
        return userId;
    }

    /** The position of the last message that was sent. */
    long position() {
        return position;
    }

    @Override
    public void opened(WebSocketConnection connection) {
        Thread.ofVirtual().name("user-stream").start(() -> run(connection));
    }

    @Override
    public void message(WebSocketConnection connection, String text) {
        connection.close(CloseCode.POLICY, "This stream takes no messages.");
    }

    @Override
    public void closed(WebSocketConnection connection) {
        wake();
    }

    void wake() {
        OrderChangeListener.Subscription waiting = subscription;
        if (waiting != null) {
            waiting.wake();
        }
    }

    private void run(WebSocketConnection connection) {
        streams.add(this);
        try (OrderChangeListener.Subscription events = streams.subscribe(userId)) {
            subscription = events;
            Optional<WorkerChange> state = worker.first();
            if (!resumes) {
                begin(connection, state);
            }
            while (connection.isOpen()) {
                events.await(send(connection) ? Duration.ZERO : pause(events));
            }
        } catch (IOException gone) {
            LOG.debug("a stream ended: {}", gone.getMessage());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            LOG.error("a stream failed", failed);
            connection.close(CloseCode.INTERNAL, "Connect again, and continue.");
        } finally {
            streams.remove(this);
        }
    }

    private Duration pause(OrderChangeListener.Subscription events) {
        return worker.follow(events.takeWorkerChange()).orElse(IDLE);
    }

    /** Tells the client where the stream begins: the position of its last event so far. */
    private void begin(WebSocketConnection connection, Optional<WorkerChange> state) throws IOException {
        position = streams.log().last(userId);
        if (state.isPresent()) {
            connection.send(
                    streams.json(new StreamMessage.WorkerMessage(position, "worker", streams.now(), state.get())));
        }
    }

    /** True when there may be more. */
    private boolean send(WebSocketConnection connection) throws IOException, InterruptedException {
        List<UserEvent> batch;
        try {
            batch = streams.log().after(userId, position, BATCH);
        } catch (DataAccessException unavailable) {
            LOG.warn("a stream waits, PostgreSQL does not answer: {}", unavailable.getMessage());
            Thread.sleep(RETRY);
            return true;
        }
        for (UserEvent event : batch) {
            connection.send(streams.json(userId, event));
            position = event.position();
        }
        return batch.size() == BATCH;
    }
}
