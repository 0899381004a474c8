package dev.berth.rest.remote;

import dev.berth.process.PeriodicTask;
import dev.berth.rest.websocket.CloseCode;
import dev.berth.routing.MachineLease;
import dev.berth.routing.Route;
import dev.berth.routing.RouteRegistry;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import io.github.bucket4j.TimeMeter;
import io.lettuce.core.RedisException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The customers' machines that are connected to this replica; renews their routes. */
public final class RemoteConnections extends PeriodicTask implements RemoteConnection.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteConnections.class);

    private final RemoteRegistration registration;
    private final RemoteReports reports;
    private final RouteRegistry routes;
    private final MachineLease machines;
    private final MeterRegistry metrics;
    private final RemoteRates rates = new RemoteRates(TimeMeter.SYSTEM_NANOTIME);
    private final Map<Slot, RemoteConnection> serving = new ConcurrentHashMap<>();
    private volatile boolean ending;

    RemoteConnections(
            RemoteRegistration registration,
            RemoteReports reports,
            RouteRegistry routes,
            MachineLease machines,
            MeterRegistry metrics) {
        super("remote-connections", RouteRegistry.REFRESH);
        this.registration = registration;
        this.reports = reports;
        this.routes = routes;
        this.machines = machines;
        this.metrics = metrics;
        metrics.gaugeMapSize("berth.remote.connections", Tags.empty(), serving);
    }

    /** How many users' machines this replica serves. */
    public int count() {
        return serving.size();
    }

    private record Slot(UserId userId, Environment environment) {}

    private static Slot slot(RemoteConnection connection, RemoteConnection.Registration registered) {
        return new Slot(connection.userId(), registered.environment());
    }

    /** The connection that a route names. */
    Optional<RemoteConnection> find(UserId userId, Environment environment, long connectionEpoch) {
        return Optional.ofNullable(serving.get(new Slot(userId, environment)))
                .filter(connection -> epoch(connection) == connectionEpoch);
    }

    private static long epoch(RemoteConnection connection) {
        RemoteConnection.Registration registered = connection.registration();
        return registered == null ? 0 : registered.route().connectionEpoch();
    }

    @Override
    public void hello(RemoteConnection connection, RemoteFrame.Hello hello) {
        try {
            switch (registration.register(connection.userId(), hello)) {
                case RemoteRegistration.Rejected(var code, var reason) -> {
                    LOG.warn("a machine of {} was refused: {}", connection.userId(), reason);
                    refused("registration");
                    connection.close(code, reason);
                }
                case RemoteRegistration.Accepted(var registered, var frame) -> {
                    connection.register(registered);
                    // A call may come at once, and the machine expects this frame first.
                    connection.send(frame);
                    serve(connection, registered);
                    LOG.info(
                            "a machine of {} serves {} with connection epoch {}, {}",
                            connection.userId(),
                            registered.accounts().stream()
                                    .map(account -> account.masked())
                                    .toList(),
                            registered.route().connectionEpoch(),
                            hello.sdk());
                    if (connection.isClosed()) {
                        closed(connection);
                    } else if (ending) {
                        connection.send(goaway(RemoteFrame.Goaway.SHUTDOWN));
                    }
                }
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("a machine of {} could not be registered: {}", connection.userId(), unavailable.getMessage());
            connection.close(CloseCode.INTERNAL, "Redis or PostgreSQL does not answer. Connect again.");
        }
    }

    /**
     * The higher epoch wins. Another replica finds out by its next renewal, and gets no calls
     * meanwhile.
     */
    private void serve(RemoteConnection connection, RemoteConnection.Registration registered) {
        AtomicReference<RemoteConnection> replaced = new AtomicReference<>();
        serving.merge(slot(connection, registered), connection, (earlier, fresh) -> {
            boolean wins = epoch(fresh) > epoch(earlier);
            replaced.set(wins ? earlier : fresh);
            return wins ? fresh : earlier;
        });
        RemoteConnection loser = replaced.get();
        RemoteConnection.Registration lost = loser == null ? null : loser.registration();
        if (loser != null && lost != null) {
            loser.replaced(goaway(
                    lost.machine().equals(registered.machine())
                            ? RemoteFrame.Goaway.REPLACED
                            : RemoteFrame.Goaway.TAKEN_OVER));
        }
    }

    private void leave(RemoteConnection connection, RemoteConnection.Registration registered, String reason) {
        if (serving.remove(slot(connection, registered), connection)) {
            connection.replaced(goaway(reason));
        }
    }

    private static RemoteFrame.Goaway goaway(String reason) {
        return new RemoteFrame.Goaway(reason, RemoteLimits.DRAIN.toSeconds());
    }

    @Override
    public void report(RemoteConnection connection, RemoteFrame.Report report) {
        RemoteConnection.Registration registered = connection.registration();
        if (registered == null) {
            return;
        }
        if (connection.isReplaced()) {
            // Not acknowledged, so that the machine sends it again by the connection that serves.
            refused("not-serving");
            return;
        }
        try {
            connection.send(reports.deliver(connection.userId(), registered, report));
        } catch (RuntimeException unavailable) {
            // Not acknowledged, so the machine sends it again.
            LOG.warn("a report was not delivered yet: {}", unavailable.getMessage());
        }
    }

    @Override
    public void closed(RemoteConnection connection) {
        RemoteConnection.Registration registered = connection.registration();
        if (registered != null && serving.remove(slot(connection, registered), connection)) {
            try {
                routes.remove(connection.userId(), registered.environment(), registered.route());
            } catch (RedisException unavailable) {
                LOG.warn("a route ends by itself: {}", unavailable.getMessage());
            }
        }
    }

    @Override
    public boolean take(RemoteConnection connection, RemoteRates.Kind kind) {
        return rates.take(connection.userId(), kind);
    }

    @Override
    public void refused(String reason) {
        metrics.counter("berth.remote.refused", "reason", reason).increment();
    }

    /** Renews the routes. */
    @Override
    protected void round() {
        for (RemoteConnection connection : serving.values()) {
            RemoteConnection.Registration registered = connection.registration();
            if (registered != null) {
                renew(connection, registered);
            }
        }
    }

    private void renew(RemoteConnection connection, RemoteConnection.Registration registered) {
        UserId userId = connection.userId();
        Environment environment = registered.environment();
        boolean holds = machines.acquire(userId, environment, registered.machine(), null) == null;
        if (!holds) {
            leave(connection, registered, RemoteFrame.Goaway.TAKEN_OVER);
            return;
        }
        if (routes.refresh(userId, environment, registered.route())) {
            return;
        }
        Optional<Route> now = routes.lookup(userId, environment);
        if (now.isPresent() && now.get().connectionEpoch() > registered.route().connectionEpoch()) {
            leave(connection, registered, RemoteFrame.Goaway.REPLACED);
        } else {
            // Redis lost the route, or its replica's entry ended for a moment.
            connection.register(registered.with(
                    routes.register(userId, environment, registered.route().replica())));
        }
    }

    /**
     * Before the WebSockets are closed: machines connect to another replica first, and calls under
     * way are answered.
     */
    @EventListener(ContextClosedEvent.class)
    @Order(Ordered.HIGHEST_PRECEDENCE)
    public void drain() throws InterruptedException {
        ending = true;
        serving.values().forEach(connection -> connection.send(goaway(RemoteFrame.Goaway.SHUTDOWN)));
        Instant end = Instant.now().plus(RemoteLimits.DRAIN);
        Instant calm = Instant.now().plus(RemoteLimits.DRAIN.dividedBy(2));
        while (!serving.isEmpty() && Instant.now().isBefore(end)) {
            boolean busy = serving.values().stream().anyMatch(connection -> connection.callsUnderWay() > 0);
            if (!busy && Instant.now().isAfter(calm)) {
                return;
            }
            Thread.sleep(Duration.ofMillis(50));
        }
    }
}
