package dev.berth.rest.routing;

import dev.berth.process.PeriodicTask;
import dev.berth.rest.websocket.WebSockets;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.ReplicaInfo;
import dev.berth.routing.ReplicaRegistry;
import io.lettuce.core.RedisException;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Renews this replica's entry, and announces the end of others'. */
@Component
class ReplicaHeartbeat extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaHeartbeat.class);

    private final ReplicaId replica;
    private final ReplicaRegistry registry;
    private final ReplicaInbox inbox;
    private final WebSockets sockets;
    private final HeldStreams streams;
    private final Instant startedAt = Instant.now();
    private volatile int port;

    ReplicaHeartbeat(
            ReplicaId replica, ReplicaRegistry registry, ReplicaInbox inbox, WebSockets sockets, HeldStreams streams) {
        super("replica-heartbeat", ReplicaRegistry.RENEWAL);
        this.replica = replica;
        this.registry = registry;
        this.inbox = inbox;
        this.sockets = sockets;
        this.streams = streams;
    }

    /** Every handler is set by now. */
    @EventListener
    void started(WebServerInitializedEvent server) {
        port = server.getWebServer().getPort();
        inbox.start();
        LOG.info("this replica is {}, port {}", replica, port);
    }

    @Override
    protected void round() {
        ReplicaInfo info = new ReplicaInfo(
                replica,
                port,
                ProcessHandle.current().pid(),
                startedAt,
                sockets.count(),
                streams.users(),
                sockets.count("remote"),
                inbox.underWay());
        for (ReplicaId gone : registry.renew(info)) {
            LOG.warn("replica {} is gone: its routes and streams are disconnected", gone);
        }
    }

    /** Before the WebSockets close: callers hear of the end at once. */
    @EventListener(ContextClosedEvent.class)
    void leave() {
        stop();
        try {
            registry.remove(replica);
        } catch (RedisException unavailable) {
            LOG.debug("the entry of this replica ends by itself: {}", unavailable.getMessage());
        }
    }
}
