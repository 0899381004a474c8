package dev.berth.rest.websocket;

import dev.berth.process.settings.WebSocketOptions;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects a session of Tomcat to its {@link WebSocketConnection}. */
final class TomcatEndpoint extends Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(TomcatEndpoint.class);

    private static final String SEND_TIMEOUT = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";
    private static final String CLOSE_TIMEOUT = "org.apache.tomcat.websocket.SESSION_CLOSE_TIMEOUT";
    private static final long CLOSE_MILLIS = 5_000;

    private final WebSockets sockets;
    private final WebSocketConnection connection;
    private final WebSocketListener listener;
    private final WebSocketOptions options;

    private TomcatEndpoint(
            WebSockets sockets, WebSocketConnection connection, WebSocketListener listener, WebSocketOptions options) {
        this.sockets = sockets;
        this.connection = connection;
        this.listener = listener;
        this.options = options;
    }

    static ServerEndpointConfig config(
            WebSockets sockets, WebSocketConnection connection, WebSocketListener listener, WebSocketOptions options) {
        return ServerEndpointConfig.Builder.create(TomcatEndpoint.class, "/")
                .configurator(new Handshake(new TomcatEndpoint(sockets, connection, listener, options)))
                .build();
    }

    private static final class Handshake extends ServerEndpointConfig.Configurator {
        private final TomcatEndpoint endpoint;

        private Handshake(TomcatEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(endpoint);
        }

        @Override
        public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
            return BearerProtocol.choice(requested).orElse("");
        }

        /** Compression takes some 300 KB a connection, and can be used to fill the memory. */
        @Override
        public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
            return List.of();
        }

        /** A page of another origin has no token: none is sent by the browser itself. */
        @Override
        public boolean checkOrigin(String origin) {
            return true;
        }
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
        // One more than the limit, after which a message is not cut but its sender is told.
        session.getUserProperties()
                .put(SEND_TIMEOUT, options.slowAfter().multipliedBy(2).toMillis());
        session.getUserProperties().put(CLOSE_TIMEOUT, CLOSE_MILLIS);
        session.setMaxTextMessageBufferSize(connection.kind().maxMessageBytes());
        session.setMaxBinaryMessageBufferSize(1);
        session.addMessageHandler(
                String.class, (MessageHandler.Whole<String>) text -> listener.message(connection, text));
        session.addMessageHandler(PongMessage.class, (MessageHandler.Whole<PongMessage>) _ -> connection.ponged());
        connection.bind(session);
        listener.opened(connection);
    }

    @Override
    public void onClose(Session session, CloseReason reason) {
        LOG.debug("a {} connection closed: {}", connection.kind().name(), reason);
        if (sockets.forget(connection)) {
            listener.closed(connection);
        }
    }

    @Override
    public void onError(Session session, Throwable failure) {
        LOG.debug("a {} connection failed: {}", connection.kind().name(), failure.toString());
    }
}
