package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alpaca's {@code trade_updates} stream. The workflows' delayed checks find reports that were
 * missed
 * while the stream was down, so it only reconnects.
 */
final class AlpacaTradeUpdates implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaTradeUpdates.class);
    private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);
    /** Without it, a venue that accepts and never answers would block reconnecting. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final AlpacaHttp http;
    private final URI stream;
    private final BiConsumer<ClientOrderId, ExecutionReport> onReport;
    /** A trade update has about a thousand characters. */
    private static final int MAX_MESSAGE = 1 << 18;

    private final StringBuilder frame = new StringBuilder();
    private volatile @Nullable WebSocket socket;
    /** True until the first ping. */
    private volatile boolean pongReceived = true;

    private volatile boolean closed;

    AlpacaTradeUpdates(AlpacaHttp http, BiConsumer<ClientOrderId, ExecutionReport> onReport) {
        this.http = http;
        this.stream = URI.create(http.base().toString().replaceFirst("^http", "ws") + "/stream");
        this.onReport = onReport;
    }

    /** Connects in the background, and reconnects until closed. */
    void connect() {
        if (!closed) {
            var _ = http.client()
                    .newWebSocketBuilder()
                    .connectTimeout(CONNECT_TIMEOUT)
                    .buildAsync(stream, this)
                    .exceptionally(failure -> {
                        reconnect("it cannot be reached");
                        return null;
                    });
        }
    }

    @Override
    public void onOpen(WebSocket opened) {
        pongReceived = true;
        socket = opened;
        // The previous connection may have ended within a message.
        frame.setLength(0);
        if (closed) {
            opened.abort();
            return;
        }
        BrokerCredentials credentials = http.credentials();
        var _ = send(opened, Map.of("action", "auth", "key", credentials.keyId(), "secret", credentials.secret()))
                .thenCompose(_ -> send(
                        opened, Map.of("action", "listen", "data", Map.of("streams", new String[] {"trade_updates"}))));
        opened.request(1);
    }

    private static CompletableFuture<WebSocket> send(WebSocket socket, Map<String, ?> message) {
        return socket.sendText(Json.write(message), true);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        if (frame.length() + data.length() > MAX_MESSAGE) {
            from.abort();
            lost(from, "a message of more than " + MAX_MESSAGE + " characters");
            return null;
        }
        frame.append(data);
        if (last) {
            handle(frame.toString());
            frame.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        return onText(from, StandardCharsets.UTF_8.decode(data), last);
    }

    private void handle(String message) {
        try {
            JsonNode update = Json.tree(message).path("data");
            JsonNode order = update.path("order");
            if (order.has("client_order_id")) {
                VenueClientOrderId id =
                        VenueClientOrderId.parse(order.get("client_order_id").asText());
                onReport.accept(
                        id.order(),
                        AlpacaOrders.report(order, http.epoch()).with(AlpacaOrders.executions(update, id.version())));
            }
        } catch (RuntimeException unreadable) {
            // For example an order of another application, with another form of id.
            LOG.warn("ignored a trade update: {}", unreadable.getMessage());
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        lost(from, "closed with " + code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        lost(from, String.valueOf(failure.getMessage()));
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
            open.abort();
            lost(open, "no pong");
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        pongReceived = true;
        from.request(1);
        return null;
    }

    /** Acts once for each connection. */
    private synchronized void lost(WebSocket from, String why) {
        if (socket == from) {
            socket = null;
            reconnect(why);
        }
    }

    private void reconnect(String why) {
        if (!closed) {
            LOG.warn("the trade_updates stream is down ({}); reconnecting", why);
            CompletableFuture.delayedExecutor(RECONNECT_DELAY.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::connect);
        }
    }

    void close() {
        closed = true;
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }
}
