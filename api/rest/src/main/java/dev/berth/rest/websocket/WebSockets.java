package dev.berth.rest.websocket;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.WebSocketOptions;
import dev.berth.rest.Problem;
import dev.berth.workflows.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open WebSockets of this process. Each ends with its token, with its client's silence, and
 * with the process.
 */
public final class WebSockets extends PeriodicTask {
    private static final Duration ROUND = Duration.ofMillis(500);
    /** A client may vanish between its handshake and the first frame. */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(30);

    private static final int MISSED_PONGS = 2;
    private static final long RETRY_AFTER_SECONDS = 30;
    private static final Duration SHUTDOWN = Duration.ofSeconds(3);

    private final WebSocketOptions options;
    private final InstantSource clock;
    private final Set<WebSocketConnection> connections = ConcurrentHashMap.newKeySet();
    private final OpenConnections counts = new OpenConnections();
    private volatile boolean closing;

    public WebSockets(WebSocketOptions options, InstantSource clock) {
        super("web-sockets", ROUND);
        this.options = options;
        this.clock = clock;
    }

    /**
     * Answers a handshake. Returns when the protocol is switched.
     *
     * @param expiry of the caller's token
     * @throws Problem.Refusal when the request is no handshake, the token has expired, or a limit
     *     is reached
     */
    public void open(
            HttpServletRequest request,
            HttpServletResponse answer,
            UserId userId,
            Instant expiry,
            WebSocketKind kind,
            WebSocketListener listener)
            throws IOException {
        if (!BearerProtocol.isHandshake(request)) {
            throw Problem.UPGRADE_REQUIRED.because("Connect as a WebSocket: Upgrade: websocket.");
        }
        if (!clock.instant().isBefore(expiry)) {
            throw Problem.UNAUTHENTICATED.because("The token has expired. Ask for a new one.");
        }
        if (closing) {
            throw Problem.STREAMS_EXHAUSTED
                    .because("This replica stops. Connect again.")
                    .after(1);
        }
        reserve(kind, userId);
        WebSocketConnection connection =
                new WebSocketConnection(userId, kind, expiry, options.slowAfter(), clock.instant());
        connections.add(connection);
        boolean switched = false;
        try {
            ServerContainer container = (ServerContainer)
                    request.getServletContext().getAttribute("jakarta.websocket.server.ServerContainer");
            // Tomcat allocates such buffers at once, and larger ones with the first message.
            container.setDefaultMaxTextMessageBufferSize(1);
            container.setDefaultMaxBinaryMessageBufferSize(1);
            container.upgradeHttpToWebSocket(
                    request, answer, TomcatEndpoint.config(this, connection, listener, options), Map.of());
            switched = answer.getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS;
        } catch (DeploymentException broken) {
            throw new IOException(broken);
        } finally {
            if (!switched) {
                forget(connection);
            }
        }
    }

    private void reserve(WebSocketKind kind, UserId userId) {
        switch (counts.add(kind, userId)) {
            case ADDED -> {}
            case USER_HAS_TOO_MANY ->
                throw Problem.TOO_MANY_STREAMS.because(
                        "You have " + kind.maxPerUser() + " connections of this kind open. Close one.");
            case TOO_MANY ->
                throw Problem.STREAMS_EXHAUSTED
                        .because("Connect again later, or to another replica.")
                        .after(RETRY_AFTER_SECONDS);
        }
    }

    /** Repeatable. */
    boolean forget(WebSocketConnection connection) {
        boolean known = connections.remove(connection);
        if (known) {
            counts.remove(connection.kind(), connection.userId());
        }
        return known;
    }

    /** Open connections of one kind. */
    public int count(String kind) {
        return counts.of(kind);
    }

    public int count() {
        return connections.size();
    }

    @Override
    protected void round() {
        Instant now = clock.instant();
        for (WebSocketConnection connection : connections) {
            if (!connection.isOpened()) {
                if (now.isAfter(connection.since().plus(OPENED_WITHIN))) {
                    forget(connection);
                }
            } else if (!now.isBefore(connection.expiry())) {
                later(() -> connection.close(CloseCode.TOKEN, "The token has expired. Connect with a new one."));
            } else if (connection.isPingDue(options.ping())) {
                later(() -> ping(connection));
            }
        }
    }

    private static void ping(WebSocketConnection connection) {
        if (connection.ping() >= MISSED_PONGS) {
            connection.close(CloseCode.GOING_AWAY, "The client answers no ping.");
        }
    }

    /** A write blocks when a client does not read. */
    private static Thread later(Runnable write) {
        return Thread.ofVirtual().name("web-socket").start(write);
    }

    /** Tells every client to connect to another replica, and accepts no more. */
    public void closeAll() throws InterruptedException {
        closing = true;
        List<Thread> closes = connections.stream()
                .map(connection ->
                        later(() -> connection.close(CloseCode.GOING_AWAY, "The replica stops. Connect again.")))
                .toList();
        Instant end = Instant.now().plus(SHUTDOWN);
        for (Thread close : closes) {
            Duration left = Duration.between(Instant.now(), end);
            if (left.isPositive()) {
                close.join(left);
            }
        }
    }
}
