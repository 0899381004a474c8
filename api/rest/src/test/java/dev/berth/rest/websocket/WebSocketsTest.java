package dev.berth.rest.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.process.settings.WebSocketOptions;
import dev.berth.rest.Problem;
import dev.berth.workflows.UserId;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WebSocketsTest {
    private static final Duration PING = Duration.ofSeconds(1);
    private static final Duration SLOW_AFTER = Duration.ofMillis(500);
    /** A client that reads again between this and twice as long is cut and not dropped. */
    private static final Duration SLOW = Duration.ofSeconds(3);

    private static final WebSocketKind KIND = new WebSocketKind("test", 2, 3, 1024);

    private WebSocketServer server;
    private final HttpClient http = HttpClient.newHttpClient();
    private WebSockets sockets = sockets(PING, SLOW_AFTER);
    private volatile long lastSent;
    private final List<WebSocketConnection> opened = new CopyOnWriteArrayList<>();
    private final List<WebSocketConnection> closed = new CopyOnWriteArrayList<>();
    private volatile Instant expiry = Instant.MAX;

    /** Echoes. */
    private final WebSocketListener listener = new WebSocketListener() {
        @Override
        public void opened(WebSocketConnection connection) {
            opened.add(connection);
        }

        @Override
        public void message(WebSocketConnection connection, String text) {
            try {
                connection.send(text);
            } catch (IOException gone) {
                throw new IllegalStateException(gone);
            }
        }

        @Override
        public void closed(WebSocketConnection connection) {
            closed.add(connection);
        }
    };

    private final class Address extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse answer) throws IOException {
            try {
                sockets.open(request, answer, new UserId(request.getHeader("User")), expiry, KIND, listener);
            } catch (Problem.Refusal refused) {
                answer.setStatus(refused.status().value());
            }
        }
    }

    private static WebSockets sockets(Duration ping, Duration slowAfter) {
        return new WebSockets(new WebSocketOptions(ping, slowAfter), InstantSource.system());
    }

    /** A client that does not read answers no ping either. */
    private void pingRarely() {
        sockets.stop();
        sockets = sockets(Duration.ofMinutes(1), SLOW);
        sockets.start();
    }

    @BeforeEach
    void start() throws Exception {
        server = new WebSocketServer(0, "/ws", new Address());
        sockets.start();
    }

    @AfterEach
    void stop() throws Exception {
        http.shutdownNow();
        sockets.stop();
        server.close();
    }

    /** Collects what a client of the JDK receives. */
    private static final class Received implements WebSocket.Listener {
        private final List<String> texts = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Integer> code = new CompletableFuture<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            texts.add(text.toString());
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int closeCode, String reason) {
            code.complete(closeCode);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            code.completeExceptionally(failure);
        }
    }

    private WebSocket connect(String user, Received received, String... protocols) {
        WebSocket.Builder builder = http.newWebSocketBuilder().header("User", user);
        if (protocols.length > 0) {
            builder.subprotocols(
                    protocols[0],
                    List.of(protocols).subList(1, protocols.length).toArray(String[]::new));
        }
        return builder.buildAsync(URI.create("ws://localhost:" + server.port() + "/ws"), received)
                .join();
    }

    private static int code(Received received) throws Exception {
        return received.code.get(10, TimeUnit.SECONDS);
    }

    private int refusal(String user) {
        try {
            connect(user, new Received());
            return 101;
        } catch (CompletionException refused) {
            if (refused.getCause() instanceof WebSocketHandshakeException handshake) {
                return handshake.getResponse().statusCode();
            }
            throw refused;
        }
    }

    @Test
    void messagesAreAnsweredAndPingsKeepItOpen() throws Exception {
        Received received = new Received();
        WebSocket socket = connect("alice", received);
        await().until(() -> !opened.isEmpty());
        socket.sendText("hello", true).join();
        await().until(() -> received.texts.equals(List.of("hello")));
        WebSocketConnection connection = opened.getFirst();
        // As often as a silent client would be closed: without pongs the count grows.
        for (int ping = 0; ping < 5; ping++) {
            await().until(() -> connection.ping() < 2 && connection.isOpen());
        }
        assertThat(sockets.count("test")).isOne();
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> closed.size() == 1 && sockets.count() == 0);
        assertThatThrownBy(() -> connection.send("late")).isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("The subprotocol berth is chosen before one that holds the token")
    void subprotocolIsNegotiated() {
        assertThat(connect("alice", new Received(), "bearer.abc").getSubprotocol())
                .isEqualTo("bearer.abc");
        assertThat(connect("alice", new Received(), "bearer.abc", "berth").getSubprotocol())
                .isEqualTo("berth");
    }

    @Test
    @Tag("X23")
    @DisplayName("A WebSocket closes with 4401 when its token expires")
    void connectionEndsWithToken() throws Exception {
        expiry = Instant.now().plusSeconds(1);
        Received received = new Received();
        connect("alice", received);
        assertThat(code(received)).isEqualTo(4401);
        assertThat(refusal("alice")).isEqualTo(401);
    }

    @Test
    @Tag("X23")
    @DisplayName("WebSockets are limited per user and in all")
    void connectionsAreLimited() {
        WebSocket first = connect("alice", new Received());
        connect("alice", new Received());
        assertThat(refusal("alice")).isEqualTo(429);
        connect("bob", new Received());
        assertThat(refusal("bob")).isEqualTo(503);
        first.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> sockets.count() == 2);
        connect("bob", new Received());
    }

    @Test
    @Tag("X23")
    @DisplayName("A frame that is too large closes the WebSocket with 1009")
    void tooLargeFrameIsRefused() throws Exception {
        Received received = new Received();
        WebSocket socket = connect("alice", received);
        socket.sendText("x".repeat(1024), true).join();
        await().until(() -> received.texts.size() == 1);
        socket.sendText("x".repeat(1025), true).join();
        assertThat(code(received)).isEqualTo(1009);
        await().until(() -> closed.size() == 1);
    }

    private CompletableFuture<IOException> fill(WebSocketConnection connection) {
        CompletableFuture<IOException> end = new CompletableFuture<>();
        String large = "x".repeat(64 * 1024);
        lastSent = System.nanoTime();
        Thread.ofVirtual().start(() -> {
            try {
                for (int number = 0; number < 1_000; number++) {
                    connection.send(large);
                    lastSent = System.nanoTime();
                }
                end.completeExceptionally(new AssertionError("everything was sent"));
            } catch (IOException tooSlow) {
                end.complete(tooSlow);
            }
        });
        return end;
    }

    @Test
    @Tag("X23")
    @DisplayName("A client that reads too slowly is closed with 4408")
    void slowReaderIsCut() throws Exception {
        pingRarely();
        try (RawWebSocket client = new RawWebSocket(server.port())) {
            await().until(() -> !opened.isEmpty());
            CompletableFuture<IOException> end = fill(opened.getFirst());
            await().until(() -> System.nanoTime() - lastSent > SLOW.toNanos());
            assertThat(client.readToClose()).isEqualTo(4408);
            assertThat(end.get(5, TimeUnit.SECONDS)).hasMessage("the client is too slow");
        }
    }

    @Test
    @Tag("X23")
    @DisplayName("A client that stops reading costs one connection for a bounded time")
    void readerThatStopsIsDropped() throws Exception {
        try (RawWebSocket _ = new RawWebSocket(server.port())) {
            await().until(() -> !opened.isEmpty());
            fill(opened.getFirst()).get(10, TimeUnit.SECONDS);
            await().until(() -> closed.size() == 1 && sockets.count() == 0);
        }
    }

    @Test
    @Tag("X23")
    @DisplayName("A half-open connection, whose client answers no ping, is closed")
    void halfOpenConnectionIsClosed() throws Exception {
        try (RawWebSocket _ = new RawWebSocket(server.port())) {
            await().until(() -> !opened.isEmpty());
            await().atMost(PING.multipliedBy(15)).until(() -> closed.size() == 1 && sockets.count() == 0);
        }
    }

    @Test
    @DisplayName("Frames are not compressed, though a client offers it")
    void compressionIsNotNegotiated() throws Exception {
        try (RawWebSocket client = new RawWebSocket(server.port())) {
            assertThat(client.answer()).contains(" 101 ").doesNotContainIgnoringCase("Sec-WebSocket-Extensions");
        }
    }

    @Test
    @DisplayName("A message after the close fails as on a lost connection, whichever end closed it")
    void sendAfterCloseFails() throws Exception {
        connect("alice", new Received()).sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> closed.size() == 1);
        assertThatIOException().isThrownBy(() -> closed.getFirst().send("late"));
        try (RawWebSocket _ = new RawWebSocket(server.port())) {
            await().until(() -> opened.size() == 2);
            opened.getLast().close(CloseCode.GOING_AWAY, "");
            assertThatIOException().isThrownBy(() -> opened.getLast().send("late"));
        }
    }

    @Test
    @DisplayName("A replica that stops closes its WebSockets with 1001 and opens no more")
    void shutdownClosesWithGoingAway() throws Exception {
        List<Received> clients = new ArrayList<>();
        for (String user : List.of("alice", "bob")) {
            Received received = new Received();
            clients.add(received);
            connect(user, received);
        }
        await().until(() -> opened.size() == 2);
        sockets.closeAll();
        for (Received client : clients) {
            assertThat(code(client)).isEqualTo(1001);
        }
        assertThat(refusal("carol")).isEqualTo(503);
    }
}
