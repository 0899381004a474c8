package dev.berth.rest.websocket;

/** What happens on one WebSocket. No method may block for long. */
public interface WebSocketListener {
    /** The connection is open. */
    void opened(WebSocketConnection connection);

    /** A text message came, at most as long as the {@link WebSocketKind} permits. */
    void message(WebSocketConnection connection, String text);

    /** The connection is closed, by either side or by a failure. Called once. */
    void closed(WebSocketConnection connection);
}
