package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket {@code /stream}. A client authenticates, then listens. Messages are JSON in binary
 * frames, as Alpaca's paper service sends them.
 */
final class TradeUpdates {

    private static final String STREAM = "trade_updates";

    private record Session(WsContext socket, @Nullable String account, boolean listening) {}

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Exchange exchange;

    TradeUpdates(Exchange exchange) {
        this.exchange = exchange;
    }

    void register(WsConfig ws) {
        ws.onConnect(socket -> sessions.put(socket.sessionId(), new Session(socket, null, false)));
        ws.onClose(socket -> sessions.remove(socket.sessionId()));
        ws.onMessage(message -> receive(message.sessionId(), message.message()));
        ws.onBinaryMessage(message -> receive(
                message.sessionId(),
                StandardCharsets.UTF_8.decode(message.data()).toString()));
    }

    /** Sends an update to the sessions of its account that listen. */
    void publish(TradeUpdate update) {
        var data = VenueJson.MAPPER.createObjectNode();
        data.put("event", update.event());
        data.put("execution_id", update.executionId().toString());
        data.putPOJO("timestamp", update.time());
        if (update.fill() != null) {
            data.putPOJO("price", update.fill().price());
            data.putPOJO("qty", update.fill().qty());
            data.putPOJO("position_qty", update.positionQty());
        }
        data.set("order", OrderJson.of(update.order()));
        for (var session : sessions.values()) {
            if (session.listening && update.order().account().equals(session.account)) {
                send(session, STREAM, data);
            }
        }
    }

    private void receive(String sessionId, String text) {
        var session = sessions.get(sessionId);
        if (session == null) {
            return;
        }
        try {
            var message = VenueJson.object(text);
            switch (message.path("action").asText()) {
                case "auth", "authenticate" -> authenticate(session, message);
                case "listen" -> listen(session, message.path("data").path("streams"));
                default -> sendError(session, "unknown action");
            }
        } catch (VenueRefusal refusal) {
            sendError(session, "invalid message");
        }
    }

    private void authenticate(Session session, JsonNode message) {
        var account = accountIn(message);
        update(new Session(session.socket, account, false));
        var data = VenueJson.MAPPER.createObjectNode();
        data.put("status", account == null ? "unauthorized" : "authorized");
        data.put("action", "authenticate");
        send(session, "authorization", data);
    }

    /**
     * From {@code key} and {@code secret}, or {@code data} of the older format; null if invalid.
     */
    private @Nullable String accountIn(JsonNode message) {
        var older = new Fields(message.path("data"));
        var newer = new Fields(message);
        var keyId = older.text("key_id") != null ? older.text("key_id") : newer.text("key");
        var secret = older.text("secret_key") != null ? older.text("secret_key") : newer.text("secret");
        try {
            return Http.account(keyId, secret, exchange);
        } catch (VenueRefusal refusal) {
            return null;
        }
    }

    private void listen(Session session, JsonNode streams) {
        if (session.account == null) {
            sendError(session, "unauthorized");
            return;
        }
        boolean wanted = StreamSupport.stream(streams.spliterator(), false)
                .anyMatch(stream -> stream.asText().equals(STREAM));
        update(new Session(session.socket, session.account, wanted));
        var data = VenueJson.MAPPER.createObjectNode();
        var listening = data.putArray("streams");
        if (wanted) {
            listening.add(STREAM);
        }
        send(session, "listening", data);
    }

    /** Ignores a closed session. */
    private void update(Session session) {
        sessions.computeIfPresent(session.socket.sessionId(), (_, _) -> session);
    }

    private void sendError(Session session, String message) {
        send(session, "error", VenueJson.MAPPER.createObjectNode().put("error", message));
    }

    private static void send(Session session, String stream, ObjectNode data) {
        var message = VenueJson.MAPPER.createObjectNode();
        message.put("stream", stream);
        message.set("data", data);
        try {
            if (session.socket.session.isOpen()) {
                session.socket.send(ByteBuffer.wrap(VenueJson.MAPPER.writeValueAsBytes(message)));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
