package dev.berth.api.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Puts together what the lifecycle knows of a worker and what the worker says of itself. */
@Component
public class WorkerViews {
    private final Lifecycles lifecycles;
    private final StatefulRedisConnection<String, String> redis;

    WorkerViews(Lifecycles lifecycles, StatefulRedisConnection<String, String> redis) {
        this.lifecycles = lifecycles;
        this.redis = redis;
    }

    /** State TERMINATED for a user who never had a worker. */
    public WorkerView of(UserId userId) {
        WorkerState worker = lifecycles.find(userId).orElseGet(() -> WorkerState.none(userId));
        WorkerMark mark = WorkerMark.read(redis.sync(), userId);
        return WorkerView.of(worker, mark, Instant.now());
    }
}
