package dev.berth.rest.websocket;

import dev.berth.workflows.UserId;
import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open WebSocket of a user. Threads may share it; it writes one frame after the other. */
public final class WebSocketConnection {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketConnection.class);

    /** A close frame waits at most so long for a frame that is being written. */
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    private final UserId userId;
    private final WebSocketKind kind;
    private final Instant expiry;
    private final Duration slowAfter;
    private final Instant since;
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicReference<@Nullable Session> session = new AtomicReference<>();
    private volatile int unansweredPings;
    private volatile long pingedNanos = System.nanoTime();

    WebSocketConnection(UserId userId, WebSocketKind kind, Instant expiry, Duration slowAfter, Instant since) {
        this.userId = userId;
        this.kind = kind;
        this.expiry = expiry;
        this.slowAfter = slowAfter;
        this.since = since;
    }

    public UserId userId() {
        return userId;
    }

    public WebSocketKind kind() {
        return kind;
    }

    /** When the token expires, and the connection with it. */
    public Instant expiry() {
        return expiry;
    }

    Instant since() {
        return since;
    }

    boolean isOpened() {
        return session.get() != null;
    }

    void bind(Session opened) {
        session.set(opened);
    }

    public boolean isOpen() {
        Session open = session.get();
        return open != null && open.isOpen();
    }

    /**
     * Writes one message. Blocks while the client does not read; then the connection ends with
     * {@link CloseCode#TOO_SLOW}.
     *
     * @throws IOException when the connection is closed, or closes now
     */
    public void send(String text) throws IOException {
        writing.lock();
        try {
            long began = System.nanoTime();
            write(client -> client.sendText(text));
            if (System.nanoTime() - began > slowAfter.toNanos()) {
                LOG.info("the {} connection of {} is closed: its client is too slow", kind.name(), userId);
                close(CloseCode.TOO_SLOW, "The client reads too slowly. Connect again, and continue.");
                throw new IOException("the client is too slow");
            }
        } finally {
            writing.unlock();
        }
    }

    private interface Write {
        void to(RemoteEndpoint.Basic client) throws IOException;
    }

    /** Tomcat's exception says nothing of the closing handshake, which may be under way. */
    private void write(Write write) throws IOException {
        Session open = session.get();
        if (open == null || !open.isOpen()) {
            throw new IOException("the connection is closed");
        }
        try {
            write.to(open.getBasicRemote());
        } catch (IllegalStateException closing) {
            throw new IOException("the connection closes", closing);
        }
    }

    /** Closes the connection. Harmless when it is closed. */
    public void close(CloseCode code, String reason) {
        Session open = session.get();
        if (open == null || !open.isOpen()) {
            return;
        }
        boolean locked = false;
        try {
            locked = writing.tryLock(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            open.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code.number()), reason));
        } catch (IOException gone) {
            LOG.debug("a client disconnected: {}", gone.getMessage());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            if (locked) {
                writing.unlock();
            }
        }
    }

    /**
     * Sends a ping, unless a frame is being written: then the time limit of that one counts.
     *
     * @return pings before this one that were not answered
     */
    int ping() {
        int unanswered = unansweredPings;
        if (writing.tryLock()) {
            try {
                pingedNanos = System.nanoTime();
                unansweredPings = unanswered + 1;
                write(client -> client.sendPing(ByteBuffer.allocate(0)));
            } catch (IOException gone) {
                LOG.debug("a client disconnected: {}", gone.getMessage());
            } finally {
                writing.unlock();
            }
        }
        return unanswered;
    }

    void ponged() {
        unansweredPings = 0;
    }

    boolean isPingDue(Duration every) {
        return System.nanoTime() - pingedNanos >= every.toNanos();
    }
}
