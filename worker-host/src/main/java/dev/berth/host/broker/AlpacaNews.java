package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
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
 * Alpaca's {@code trade_updates} stream. What is missed while it is away is caught by the order's delayed checks, so
 * it only reconnects and never asks.
 */
final class AlpacaNews implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(AlpacaNews.class);
    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);
    /** A venue that accepts and then says nothing would be waited for without end. */
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http;
    private final URI stream;
    private final Credentials credentials;
    private final long epoch;
    private final BiConsumer<ClientOrderId, VenueReport> news;
    private final StringBuilder frame = new StringBuilder();
    private volatile @Nullable WebSocket socket;
    /** Whether the last ping was answered, or none was sent yet. */
    private volatile boolean answered = true;

    private volatile boolean closed;

    AlpacaNews(
            HttpClient http,
            URI base,
            Credentials credentials,
            long epoch,
            BiConsumer<ClientOrderId, VenueReport> news) {
        this.http = http;
        this.stream = URI.create(base.toString().replaceFirst("^http", "ws") + "/stream");
        this.credentials = credentials;
        this.epoch = epoch;
        this.news = news;
    }

    /** Connects in the background, again and again until closed. */
    void listen() {
        if (!closed) {
            var _ = http.newWebSocketBuilder()
                    .connectTimeout(CONNECT)
                    .buildAsync(stream, this)
                    .exceptionally(failure -> {
                        reconnect("it can not be reached");
                        return null;
                    });
        }
    }

    @Override
    public void onOpen(WebSocket opened) {
        answered = true;
        socket = opened;
        // The connection before may have ended in mid message.
        frame.setLength(0);
        if (closed) {
            opened.abort();
            return;
        }
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
        frame.append(data);
        if (last) {
            take(frame.toString());
            frame.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        return onText(from, StandardCharsets.UTF_8.decode(data), last);
    }

    private void take(String message) {
        try {
            JsonNode update = json.readTree(message).path("data");
            JsonNode order = update.path("order");
            if (order.has("client_order_id")) {
                VenueClientOrderId id =
                        VenueClientOrderId.parse(order.get("client_order_id").asText());
                news.accept(
                        id.order(), AlpacaOrders.report(order, epoch).with(AlpacaOrders.executions(update, id.leg())));
            }
        } catch (IOException | RuntimeException unreadable) {
            // Such as an order that was placed by hand with an id of another form: not ours.
            LOG.warn("passed over a piece of news: {}", unreadable.getMessage());
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
     * To be called again and again: a connection that was cut without a word looks open for ever. The pong has until the
     * next call.
     */
    void ping() {
        WebSocket open = socket;
        if (open == null) {
            return;
        }
        if (answered) {
            answered = false;
            var _ = open.sendPing(ByteBuffer.allocate(0));
        } else {
            open.abort();
            lost(open, "it answers no ping");
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        answered = true;
        from.request(1);
        return null;
    }

    /** Once a connection, however many say so. */
    private synchronized void lost(WebSocket from, String why) {
        if (socket == from) {
            socket = null;
            reconnect(why);
        }
    }

    private void reconnect(String why) {
        if (!closed) {
            LOG.warn("the stream of order news is away ({}); trying again", why);
            CompletableFuture.delayedExecutor(RECONNECT_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::listen);
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
