package dev.berth.gateway;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Bounds the connections of clients without a certificate, and those of each task. */
final class GatewayConnections {
    private final GatewayListener listener;
    private final Map<SocketAddress, ConnectionGuard> byRemote = new ConcurrentHashMap<>();
    private final ConnectionCrowd handshakes =
            new ConnectionCrowd(GatewayLimits.HANDSHAKES, GatewayLimits.HANDSHAKE_PATIENCE, System::nanoTime);
    private final ConnectionCrowd anonymous = new ConnectionCrowd(
            GatewayLimits.ANONYMOUS_CONNECTIONS, GatewayLimits.ANONYMOUS_PATIENCE, System::nanoTime);
    /** Oldest first. */
    private final Map<String, Deque<ConnectionGuard>> byTask = new HashMap<>();

    GatewayConnections(GatewayListener listener) {
        this.listener = listener;
    }

    /** The connection of a client's address and port; null when it has ended. */
    @Nullable
    ConnectionGuard find(@Nullable SocketAddress remote) {
        return remote == null ? null : byRemote.get(remote);
    }

    /** False when it has no place: then it is to be closed. */
    boolean accepted(ConnectionGuard connection) {
        SocketAddress remote = connection.remote();
        if (remote == null || !isAdmitted(handshakes, connection)) {
            return false;
        }
        byRemote.put(remote, connection);
        return true;
    }

    /** As {@link #accepted}. Of a task with too many, the oldest is closed: it may be lost. */
    boolean shookHands(ConnectionGuard connection) {
        handshakes.remove(connection);
        String taskId = connection.taskId();
        if (taskId == null) {
            return isAdmitted(anonymous, connection);
        }
        ConnectionGuard excess = add(taskId, connection);
        if (excess != null) {
            listener.connectionClosed(GatewayListener.ConnectionEnd.TASK);
            excess.close();
        }
        return true;
    }

    private synchronized @Nullable ConnectionGuard add(String taskId, ConnectionGuard connection) {
        Deque<ConnectionGuard> ofTask = byTask.computeIfAbsent(taskId, _ -> new ArrayDeque<>());
        ofTask.addLast(connection);
        return ofTask.size() > GatewayLimits.CONNECTIONS_PER_TASK ? ofTask.removeFirst() : null;
    }

    private boolean isAdmitted(ConnectionCrowd crowd, ConnectionGuard connection) {
        return switch (crowd.add(connection)) {
            case ConnectionCrowd.Admitted(var displaced) -> {
                displaced.ifPresent(other -> {
                    listener.connectionClosed(GatewayListener.ConnectionEnd.FULL);
                    ((ConnectionGuard) other).close();
                });
                yield true;
            }
            case ConnectionCrowd.Full() -> {
                listener.connectionClosed(GatewayListener.ConnectionEnd.FULL);
                yield false;
            }
        };
    }

    /** Had no certificate in time. */
    void closedLate() {
        listener.connectionClosed(GatewayListener.ConnectionEnd.LATE);
    }

    void ended(ConnectionGuard connection) {
        SocketAddress remote = connection.remote();
        if (remote != null) {
            byRemote.remove(remote, connection);
        }
        handshakes.remove(connection);
        anonymous.remove(connection);
        String taskId = connection.taskId();
        if (taskId != null) {
            remove(taskId, connection);
        }
    }

    private synchronized void remove(String taskId, ConnectionGuard connection) {
        byTask.computeIfPresent(taskId, (_, ofTask) -> {
            ofTask.remove(connection);
            return ofTask.isEmpty() ? null : ofTask;
        });
    }
}
