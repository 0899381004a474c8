package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Json;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to {@code trade_updates}, from its authorization to its end. */
final class AlpacaTradeUpdates implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaTradeUpdates.class);
    /** Without it, a venue that accepts and never answers would keep the stream deaf. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** For the close frame to be written. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);
    /** A trade update has about a thousand characters. */
    private static final int MAX_MESSAGE = 1 << 18;

    /** What becomes of the connection. */
    interface Listener {
        /** The venue confirmed the subscription. */
        void listening(AlpacaTradeUpdates stream);

        /** Called once. */
        void lost(AlpacaTradeUpdates stream, String why);
    }

    private final AlpacaHttp http;
    private final KnownOrders known;
    private final AlpacaOpenOrders open;
    private final SessionListener session;
    private final Listener listener;
    private final StringBuilder frame = new StringBuilder();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable WebSocket socket;
    private volatile boolean listening;
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
    /** True until the first ping. */
    private volatile boolean pongReceived = true;

    AlpacaTradeUpdates(
            AlpacaHttp http, KnownOrders known, AlpacaOpenOrders open, SessionListener session, Listener listener) {
        this.http = http;
        this.known = known;
        this.open = open;
        this.session = session;
        this.listener = listener;
    }

    /** In the background. */
    void connect() {
        URI stream = URI.create(http.base().toString().replaceFirst("^http", "ws") + "/stream");
        var _ = http.client()
                .newWebSocketBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .buildAsync(stream, this)
                .exceptionally(failure -> {
                    end("it cannot be reached");
                    return null;
                });
        CompletableFuture.delayedExecutor(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (!listening) {
                        end("the venue did not confirm it within " + CONNECT_TIMEOUT);
                    }
                });
    }

    boolean isListening() {
        return listening && !ended.get();
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        if (ended.get()) {
            opened.abort();
            return;
        }
        BrokerCredentials credentials = http.credentials();
        send(opened, Map.of("action", "auth", "key", credentials.keyId(), "secret", credentials.secret()));
        opened.request(1);
    }

    /** One after the other: the JDK refuses a message while the one before it is being sent. */
    private void send(WebSocket socket, Map<String, ?> message) {
        String text = Json.write(message);
        sent = sent.thenCompose(_ -> socket.sendText(text, true));
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        if (frame.length() + data.length() > MAX_MESSAGE) {
            end("a message of more than " + MAX_MESSAGE + " characters");
            return null;
        }
        frame.append(data);
        if (last) {
            handle(from, frame.toString());
            frame.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        return onText(from, StandardCharsets.UTF_8.decode(data), last);
    }

    private void handle(WebSocket from, String text) {
        try {
            JsonNode message = Json.tree(text);
            switch (message.path("stream").asText()) {
                case "authorization" ->
                    authorized(from, message.at("/data/status").asText());
                case "listening" -> confirmed(message.at("/data/streams"));
                case "error" -> end("the venue reported an error");
                default -> report(message.path("data"));
            }
        } catch (RuntimeException unreadable) {
            LOG.warn("ignored a trade update: {}", unreadable.getMessage());
        }
    }

    private void authorized(WebSocket from, String status) {
        if (status.equals("authorized")) {
            send(from, Map.of("action", "listen", "data", Map.of("streams", new String[] {"trade_updates"})));
        } else {
            end("the venue refused to authorize it");
        }
    }

    private void confirmed(JsonNode streams) {
        if (streams.isEmpty()) {
            end("the venue did not subscribe it");
        } else {
            listening = true;
            listener.listening(this);
        }
    }

    private void report(JsonNode update) {
        JsonNode order = update.path("order");
        open.update(order);
        session.accountChanged();
        Optional<VenueClientOrderId> id = AlpacaOrders.id(order);
        Optional<ExecutionReport> report = AlpacaOrders.read(order, http.epoch());
        if (id.isEmpty() || report.isEmpty()) {
            return;
        }
        ExecutionReport told = update.path("event").asText().equals("order_cancel_rejected")
                ? AlpacaOrders.cancelRefused(report.get(), update.path("reason").asText())
                : report.get().withExecutions(executions(update, id.get(), report.get()));
        known.streamed(id.get(), told);
        session.reported(id.get().order(), told);
    }

    /**
     * None when a fill cannot be read: an open order asks for executions that do not add up. One
     * that was over asks no more; a person is called.
     */
    private List<Execution> executions(JsonNode update, VenueClientOrderId id, ExecutionReport report) {
        try {
            return AlpacaOrders.executions(update, id.version());
        } catch (IllegalArgumentException incomplete) {
            LOG.warn("an execution of order {} cannot be read: {}", id, incomplete.getMessage());
            boolean isLate = known.find(id)
                    .filter(AlpacaOrders::isOver)
                    .filter(before -> report.filledQuantity().compareTo(before.filledQuantity()) > 0)
                    .isPresent();
            return isLate ? List.of(AlpacaOrders.unreadable(update, id.version())) : List.of();
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        end("closed with " + code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        end(String.valueOf(failure.getMessage()));
    }

    /**
     * Call periodically: a connection that was cut silently looks open forever. The pong has to
     * arrive
     * before the next call.
     */
    void ping() {
        WebSocket open = socket;
        if (open == null) {
            return;
        }
        if (pongReceived) {
            pongReceived = false;
            var _ = open.sendPing(ByteBuffer.allocate(0));
        } else {
            end("no pong");
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        pongReceived = true;
        from.request(1);
        return null;
    }

    /** Ends the connection, which then is lost. */
    void end(String why) {
        if (ended.compareAndSet(false, true)) {
            var _ = sayGoodbye();
            listener.lost(this, why);
        }
    }

    /** Ends the connection for good, and waits until the venue was told. */
    void close() {
        if (ended.compareAndSet(false, true)) {
            sayGoodbye().join();
        }
    }

    /** The venue counts a stream that ends without a close frame until it reaps it. */
    private CompletableFuture<Boolean> sayGoodbye() {
        WebSocket open = socket;
        if (open == null) {
            return CompletableFuture.completedFuture(true);
        }
        return open.sendClose(WebSocket.NORMAL_CLOSURE, "")
                .orTimeout(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .handle((_, _) -> {
                    open.abort();
                    return true;
                });
    }
}
