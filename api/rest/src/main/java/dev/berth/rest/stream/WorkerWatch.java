package dev.berth.rest.stream;

import dev.berth.activities.order.UserEventLog;
import dev.berth.routing.StreamEvents;
import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.client.WorkflowException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Looks at workers of users with a stream, and adds each change to the log of the user: so every
 * stream of the user shows it, at any replica, with a position. Changes between two looks are seen
 * as one.
 */
@Component
class WorkerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerWatch.class);

    private final LifecycleWorkflowClient lifecycles;
    private final UserEventLog log;
    private final StreamEvents events;
    private final StatefulRedisConnection<String, String> redis;
    private final InstantSource clock;

    WorkerWatch(
            LifecycleWorkflowClient lifecycles,
            UserEventLog log,
            StreamEvents events,
            StatefulRedisConnection<String, String> redis,
            InstantSource clock) {
        this.lifecycles = lifecycles;
        this.log = log;
        this.events = events;
        this.redis = redis;
        this.clock = clock;
    }

    /** Reads the worker, and adds it when it changed; empty when a server does not answer. */
    Optional<WorkerChange> look(UserId userId) {
        try {
            WorkerChange now = WorkerChange.of(lifecycles.state(userId).orElseGet(() -> WorkerState.none(userId)));
            if (log.addWorker(userId, clock.instant(), Json.write(now))) {
                events.publishWorker(userId);
            }
            return Optional.of(now);
        } catch (WorkflowException | StatusRuntimeException | DataAccessException unavailable) {
            LOG.debug("a worker is not shown to its stream: {}", unavailable.getMessage());
            return Optional.empty();
        }
    }

    /** Cheap, and different when a process comes or goes: Redis is asked, not the lifecycle. */
    String fingerprint(UserId userId) {
        try {
            WorkerHeartbeat heartbeat = WorkerHeartbeat.of(redis.sync().hgetall(RedisKeys.metadata(userId)), null);
            return heartbeat.epoch() + " " + heartbeat.sessions();
        } catch (RedisException unavailable) {
            return "";
        }
    }
}
