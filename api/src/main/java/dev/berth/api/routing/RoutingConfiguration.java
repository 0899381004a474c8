package dev.berth.api.routing;

import dev.berth.activities.routing.ReplicaId;
import dev.berth.activities.routing.ReplicaInbox;
import dev.berth.activities.routing.ReplicaInfo;
import dev.berth.activities.routing.ReplicaMarks;
import dev.berth.activities.routing.RouteRegistry;
import dev.berth.api.PeriodicTask;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** This process as one of several replicas. */
@Configuration
class RoutingConfiguration {
    @Bean
    ReplicaId replicaId() throws UnknownHostException {
        return ReplicaId.create(InetAddress.getLocalHost().getHostName());
    }

    @Bean
    RouteRegistry routeRegistry(StatefulRedisConnection<String, String> redis) {
        return new RouteRegistry(redis.sync());
    }

    @Bean(destroyMethod = "close")
    ReplicaInbox replicaInbox(RedisClient client, ReplicaId replica) {
        return new ReplicaInbox(client, replica);
    }

    @Bean
    ReplicaMark replicaMark(StatefulRedisConnection<String, String> redis, ReplicaId replica, ReplicaInbox inbox) {
        return new ReplicaMark(new ReplicaMarks(redis.sync()), replica, inbox);
    }

    /** Renews the mark, and takes requests once all handlers are there. */
    static final class ReplicaMark extends PeriodicTask {
        private final ReplicaMarks marks;
        private final ReplicaId replica;
        private final ReplicaInbox inbox;
        private final Instant startedAt = Instant.now();

        ReplicaMark(ReplicaMarks marks, ReplicaId replica, ReplicaInbox inbox) {
            super("replica-mark", ReplicaMarks.RENEWAL);
            this.marks = marks;
            this.replica = replica;
            this.inbox = inbox;
        }

        @EventListener(ApplicationReadyEvent.class)
        void ready() {
            inbox.start();
        }

        @Override
        protected void round() {
            marks.renew(new ReplicaInfo(replica, "", ProcessHandle.current().pid(), startedAt, 0, 0, inbox.underWay()));
        }
    }
}
