package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;

/** Asks a user's lifecycle workflow for a worker, and starts that workflow when there is none. */
public final class TemporalWorkerRequests implements WorkerRequests {
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final WorkflowClient temporal;
    private final RedisCommands<String, String> redis;

    public TemporalWorkerRequests(WorkflowClient temporal, RedisCommands<String, String> redis) {
        this.temporal = temporal;
        this.redis = redis;
    }

    @Override
    public void ensure(UserId userId, WorkerNeed need) {
        if (need.why() == WorkerNeed.Why.REQUEST) {
            tell(userId, "ensure", need);
        } else if (isFirstOfThisSecond(userId, need)) {
            try {
                tell(userId, "ensure", need);
            } catch (RuntimeException untold) {
                mayBeFirstAgain(userId, need);
                throw untold;
            }
        }
    }

    /** Suspends the user, who may never have had a worker. */
    public void suspend(UserId userId, String reason) {
        tell(userId, "suspend", reason);
    }

    private void tell(UserId userId, String signal, Object argument) {
        WorkflowStub lifecycle =
                temporal.newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(userId));
        lifecycle.signalWithStart(signal, new Object[] {argument}, new Object[] {WorkerState.none(userId)});
    }

    @Override
    public long oldestUnproven(UserId userId) {
        try {
            WorkerState worker =
                    temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId)).query("state", WorkerState.class);
            return worker.unproven().stream()
                    .mapToLong(WorkerState.Unproven::epoch)
                    .min()
                    .orElse(0);
        } catch (WorkflowNotFoundException none) {
            return 0;
        }
    }

    /** Without Redis every request gets through: too many are better than none. */
    private boolean isFirstOfThisSecond(UserId userId, WorkerNeed need) {
        try {
            SetArgs once = SetArgs.Builder.nx().px(AT_MOST_EVERY);
            return redis.set(RedisKeys.ensured(userId, need.account()), "1", once) != null;
        } catch (RedisException away) {
            return true;
        }
    }

    private void mayBeFirstAgain(UserId userId, WorkerNeed need) {
        try {
            redis.del(RedisKeys.ensured(userId, need.account()));
        } catch (RedisException away) {
            // It is forgotten within the second.
        }
    }
}
