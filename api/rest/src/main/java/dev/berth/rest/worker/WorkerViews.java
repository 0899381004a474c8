package dev.berth.rest.worker;

import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Combines the lifecycle's state with the worker's heartbeat. */
@Component
public class WorkerViews {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerViews.class);

    private final LifecycleWorkflowClient lifecycles;
    private final StatefulRedisConnection<String, String> redis;

    WorkerViews(LifecycleWorkflowClient lifecycles, StatefulRedisConnection<String, String> redis) {
        this.lifecycles = lifecycles;
        this.redis = redis;
    }

    /**
     * What the live workers among these users tell of themselves, without their ages, in one round
     * trip; empty without Redis.
     */
    public Map<UserId, WorkerHeartbeat> heartbeats(Collection<UserId> users) {
        Map<UserId, RedisFuture<Map<String, String>>> reads = new HashMap<>();
        try {
            users.forEach(user -> reads.put(user, redis.async().hgetall(RedisKeys.metadata(user))));
            if (!LettuceFutures.awaitAll(redis.getTimeout(), reads.values().toArray(RedisFuture[]::new))) {
                return Map.of();
            }
        } catch (RedisException unavailable) {
            LOG.info("workers are shown without their heartbeats, Redis does not answer: {}", unavailable.getMessage());
            return Map.of();
        }
        Map<UserId, WorkerHeartbeat> heartbeats = new HashMap<>();
        reads.forEach((user, read) -> {
            Map<String, String> metadata = read.toCompletableFuture().join();
            if (!metadata.isEmpty()) {
                heartbeats.put(user, WorkerHeartbeat.of(metadata, null));
            }
        });
        return heartbeats;
    }

    /** State TERMINATED for a user without a lifecycle. */
    public WorkerView of(UserId userId) {
        WorkerState worker = lifecycles.state(userId).orElseGet(() -> WorkerState.none(userId));
        return WorkerView.of(worker, heartbeat(userId), Instant.now());
    }

    /** Without Redis a worker is shown without its heartbeat. */
    private WorkerHeartbeat heartbeat(UserId userId) {
        try {
            long left = redis.sync().pttl(RedisKeys.heartbeat(userId));
            Long age = left < 0 ? null : RedisKeys.HEARTBEAT_TTL.toMillis() - left;
            return WorkerHeartbeat.of(redis.sync().hgetall(RedisKeys.metadata(userId)), age);
        } catch (RedisException unavailable) {
            LOG.info("a worker is shown without its heartbeat, Redis does not answer: {}", unavailable.getMessage());
            return WorkerHeartbeat.NONE;
        }
    }
}
