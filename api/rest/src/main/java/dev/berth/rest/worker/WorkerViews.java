package dev.berth.rest.worker;

import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Combines the lifecycle's state with the worker's heartbeat. */
@Component
public class WorkerViews {
    private final LifecycleWorkflowClient lifecycles;
    private final StatefulRedisConnection<String, String> redis;

    WorkerViews(LifecycleWorkflowClient lifecycles, StatefulRedisConnection<String, String> redis) {
        this.lifecycles = lifecycles;
        this.redis = redis;
    }

    /** What the live workers among these users tell of themselves; empty without Redis. */
    public Map<UserId, WorkerHeartbeat> heartbeats(Collection<UserId> users) {
        return WorkerHeartbeat.read(redis, users);
    }

    /** State TERMINATED for a user without a lifecycle. */
    public WorkerView of(UserId userId) {
        WorkerState worker = lifecycles.state(userId).orElseGet(() -> WorkerState.none(userId));
        WorkerHeartbeat heartbeat = WorkerHeartbeat.read(redis.sync(), userId);
        return WorkerView.of(worker, heartbeat, Instant.now());
    }
}
