package dev.berth.rest.websocket;

/**
 * WebSockets of one address, and their limits in one process.
 *
 * @param name for metrics and logs
 * @param maxPerUser open connections of one user
 * @param max open connections of all users together
 * @param maxMessageBytes the longest message from a client; a longer one closes the connection with
 *     1009
 */
public record WebSocketKind(String name, int maxPerUser, int max, int maxMessageBytes) {}
