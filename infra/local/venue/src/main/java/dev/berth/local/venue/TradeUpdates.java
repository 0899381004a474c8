package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket {@code /stream}. An account has one; it authenticates, then listens. Messages are
 * JSON in binary frames, as Alpaca's paper service sends them.
 */
final class TradeUpdates {

    private static final String STREAM = "trade_updates";

    private record Session(WsContext socket, @Nullable String account, boolean listening) {}

    /** RFC 6455: closed on purpose; policy violation. */
    private static final int NORMAL = 1000;

    private static final int GOING_AWAY = 1001;
    private static final int POLICY_VIOLATION = 1008;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    /** By account: the update that is sent after the next one. */
    private final Map<String, ObjectNode> heldBack = new ConcurrentHashMap<>();

    /** Orders of which no stream says a word. */
    private final Set<UUID> silent = ConcurrentHashMap.newKeySet();

    private final Exchange exchange;
    private final StreamSlots slots;
    private final FaultDice dice;

    TradeUpdates(Exchange exchange, StreamSlots slots, FaultDice dice) {
        this.exchange = exchange;
        this.slots = slots;
        this.dice = dice;
    }

    void register(WsConfig ws) {
        ws.onConnect(socket -> sessions.put(socket.sessionId(), new Session(socket, null, false)));
        ws.onClose(socket ->
                left(sessions.remove(socket.sessionId()), socket.status() == NORMAL || socket.status() == GOING_AWAY));
        ws.onMessage(message -> receive(message.sessionId(), message.message()));
        ws.onBinaryMessage(message -> receive(
                message.sessionId(),
                StandardCharsets.UTF_8.decode(message.data()).toString()));
    }

    private void left(@Nullable Session session, boolean clean) {
        if (session != null && session.account != null) {
            slots.leave(session.account, session.socket.sessionId(), clean);
        }
    }

    /** Cuts every stream, which frees its slot; returns how many. */
    int cut() {
        var all = List.copyOf(sessions.values());
        all.forEach(this::cut);
        return all.size();
    }

    private void cut(Session session) {
        left(session, true);
        session.socket.session.disconnect();
    }

    /** Sends an update to the sessions of its account that listen. */
    void publish(TradeUpdate update) {
        if (update.isFirst() && dice.silencesOrder()) {
            silent.add(update.order().id());
        }
        if (silent.contains(update.order().id())) {
            return;
        }
        var data = VenueJson.MAPPER.createObjectNode();
        data.put("event", update.event());
        data.put("execution_id", update.executionId().toString());
        if (update.corrected() != null) {
            data.put("previous_execution_id", update.corrected().toString());
        }
        data.putPOJO("timestamp", update.time());
        if (update.fill() != null) {
            data.putPOJO("price", update.fill().price());
            data.putPOJO("qty", update.fill().qty());
            data.putPOJO("position_qty", update.positionQty());
        }
        data.set("order", OrderJson.of(update.order()));
        var account = update.order().account();
        var earlier = heldBack.remove(account);
        if (earlier == null && dice.swapsUpdate()) {
            heldBack.put(account, data);
            return;
        }
        publish(account, data);
        if (dice.repeatsUpdate()) {
            publish(account, data);
        }
        if (earlier != null) {
            publish(account, earlier);
        }
    }

    private void publish(String account, ObjectNode data) {
        for (var session : sessions.values()) {
            if (session.listening
                    && account.equals(session.account)
                    && !dice.faults().mute()) {
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
        var policy = Objects.requireNonNullElse(dice.faults().streams(), StreamAuthorization.CHECKED);
        if (policy == StreamAuthorization.SILENT) {
            return;
        }
        var account = policy == StreamAuthorization.REFUSED ? null : accountIn(message);
        if (account != null && !takesSlot(account, session)) {
            return;
        }
        update(new Session(session.socket, account, false));
        answerAuthorization(session, account != null);
    }

    private static void answerAuthorization(Session session, boolean authorized) {
        var data = VenueJson.MAPPER.createObjectNode();
        data.put("status", authorized ? "authorized" : "unauthorized");
        data.put("action", "authenticate");
        send(session, "authorization", data);
    }

    /** Refuses an account's second stream, or cuts the first one. */
    private boolean takesSlot(String account, Session session) {
        var admission = slots.take(account, session.socket.sessionId());
        if (!admission.admitted()) {
            answerAuthorization(session, false);
            session.socket.closeSession(POLICY_VIOLATION, "connection limit exceeded");
            return false;
        }
        var displaced = admission.displaced() == null ? null : sessions.get(admission.displaced());
        if (displaced != null) {
            displaced.socket.session.disconnect();
        }
        return true;
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
