package dev.berth.rest.remote;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.WebSocketOptions;
import dev.berth.rest.Problem;
import dev.berth.rest.websocket.WebSocketKind;
import dev.berth.rest.websocket.WebSocketServer;
import dev.berth.rest.websocket.WebSockets;
import dev.berth.routing.MachineLease;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.ReplicaInfo;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.RouteRegistry;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.remote.RemoteCall;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.catalina.LifecycleException;

/** What a replica does for customers' machines, without all else; a token is the user's id. */
final class RemoteReplica implements AutoCloseable {
    static final AccountKey ACCOUNT = AccountKey.parse("remote/equity/paper/home");
    private static final WebSocketKind KIND = new WebSocketKind("remote", 6, 100, RemoteCall.MAX_FRAME_BYTES);

    private final ReplicaId id = ReplicaId.create("test");
    private final StatefulRedisConnection<String, String> connection;
    private final ReplicaInbox inbox;
    private final WebSockets sockets;
    private final RemoteConnections connections;
    private final WebSocketServer server;
    private final PeriodicTask heartbeat;

    private RemoteReplica(RedisClient redis, int port) throws Exception {
        connection = redis.connect();
        InstantSource clock = InstantSource.system();
        RouteRegistry routes = new RouteRegistry(connection.sync());
        MachineLease machines = new MachineLease(connection.sync());
        this.inbox = new ReplicaInbox(redis, id);
        this.sockets = new WebSockets(new WebSocketOptions(Duration.ofSeconds(5), Duration.ofSeconds(5)), clock);
        this.connections = new RemoteConnections(
                new RemoteRegistration(_ -> List.of(ACCOUNT), machines, routes, connection.sync(), id, clock, false),
                new RemoteReports(RemoteReplica::account, (_, _, _) -> {}, connection.sync(), clock),
                routes,
                machines,
                new SimpleMeterRegistry());
        inbox.handler(RemoteCall.KIND, new RemoteCallHandler(connections, connection.sync(), id, clock));
        this.server = new WebSocketServer(port, "/v1/remote", new Address());
        this.heartbeat = heartbeat(new ReplicaRegistry(connection.sync()));
        heartbeat.start();
        inbox.start();
        sockets.start();
        connections.start();
    }

    private static Optional<AccountKey> account(UserId userId, ClientOrderId order) {
        return Optional.of(ACCOUNT);
    }

    private PeriodicTask heartbeat(ReplicaRegistry registry) {
        return new PeriodicTask("replica-heartbeat", ReplicaRegistry.RENEWAL) {
            @Override
            protected void round() {
                registry.renew(new ReplicaInfo(id, port(), 1, Instant.now(), 0, 0, 0, 0));
            }
        };
    }

    private final class Address extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse answer) throws IOException {
            UserId userId = new UserId(request.getHeader("Authorization").replace("Bearer ", ""));
            try {
                sockets.open(request, answer, userId, Instant.MAX, KIND, new RemoteConnection(userId, connections));
            } catch (Problem.Refusal refused) {
                answer.setStatus(refused.status().value());
            }
        }
    }

    private int port() {
        return server.port();
    }

    /** A replica in this process. */
    static RemoteReplica start(RedisClient redis) throws Exception {
        return new RemoteReplica(redis, 0);
    }

    URI address() {
        return address(port());
    }

    @Override
    public void close() throws LifecycleException {
        sockets.stop();
        connections.stop();
        heartbeat.stop();
        server.close();
        inbox.close();
        connection.close();
    }

    static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /**
     * A replica in a process of its own, which serves until it is killed.
     *
     * @param arguments the URI of Redis, and the port
     */
    static void main(String... arguments) throws Exception {
        new RemoteReplica(RedisClient.create(arguments[0]), Integer.parseInt(arguments[1]));
        Thread.currentThread().join();
    }
}
