package dev.berth.api.worker;

import dev.berth.activities.temporal.LifecycleGateway;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Combines the lifecycle's state with the worker's heartbeat. */
@Component
public class WorkerViews {
    private final LifecycleGateway lifecycles;
    private final StatefulRedisConnection<String, String> redis;

    WorkerViews(LifecycleGateway lifecycles, StatefulRedisConnection<String, String> redis) {
        this.lifecycles = lifecycles;
        this.redis = redis;
    }

    /** State TERMINATED for a user without a lifecycle. */
    public WorkerView of(UserId userId) {
        WorkerState worker = lifecycles.state(userId).orElseGet(() -> WorkerState.none(userId));
        WorkerHeartbeat mark = WorkerHeartbeat.read(redis.sync(), userId);
        return WorkerView.of(worker, mark, Instant.now());
    }
}
