package dev.berth.rest.websocket;

import dev.berth.workflows.UserId;
import java.util.HashMap;
import java.util.Map;

/** Counts open connections, by kind and by user. */
final class OpenConnections {
    private record Holder(String kind, UserId userId) {}

    /** Whether a connection may open. */
    enum Verdict {
        ADDED,
        USER_HAS_TOO_MANY,
        TOO_MANY
    }

    private final Map<Holder, Integer> byUser = new HashMap<>();
    private final Map<String, Integer> byKind = new HashMap<>();

    /** Counts one more, if the limits of its kind permit. */
    synchronized Verdict add(WebSocketKind kind, UserId userId) {
        Holder holder = new Holder(kind.name(), userId);
        if (byUser.getOrDefault(holder, 0) >= kind.maxPerUser()) {
            return Verdict.USER_HAS_TOO_MANY;
        }
        if (byKind.getOrDefault(kind.name(), 0) >= kind.max()) {
            return Verdict.TOO_MANY;
        }
        byUser.merge(holder, 1, Integer::sum);
        byKind.merge(kind.name(), 1, Integer::sum);
        return Verdict.ADDED;
    }

    synchronized void remove(WebSocketKind kind, UserId userId) {
        byUser.computeIfPresent(new Holder(kind.name(), userId), (_, open) -> open == 1 ? null : open - 1);
        byKind.computeIfPresent(kind.name(), (_, open) -> open == 1 ? null : open - 1);
    }

    synchronized int of(String kind) {
        return byKind.getOrDefault(kind, 0);
    }
}
