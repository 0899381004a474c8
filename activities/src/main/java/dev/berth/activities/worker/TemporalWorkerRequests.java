package dev.berth.activities.worker;

import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Requests a worker from the user's lifecycle workflow, which is started when the user has none.
 */
public final class TemporalWorkerRequests implements WorkerRequests {
    private static final Duration SIGNAL_EVERY = Duration.ofSeconds(1);

    private final LifecycleWorkflowClient lifecycles;
    private final RedisCommands<String, String> redis;
    private final Function<UserId, UserGroup> groups;

    /** All users are in the default group. */
    public TemporalWorkerRequests(LifecycleWorkflowClient lifecycles, RedisCommands<String, String> redis) {
        this(lifecycles, redis, _ -> UserGroup.DEFAULT);
    }

    public TemporalWorkerRequests(
            LifecycleWorkflowClient lifecycles,
            RedisCommands<String, String> redis,
            Function<UserId, UserGroup> groups) {
        this.lifecycles = lifecycles;
        this.redis = redis;
        this.groups = groups;
    }

    @Override
    public @Nullable Reason ensure(UserId userId, WorkerNeed need) {
        request(userId, need);
        return refusal(userId, need.account());
    }

    /**
     * Requests a worker for an order at the venue, unless the user's worker renews its heartbeat.
     *
     * @throws RuntimeException when Temporal does not answer; the order asks by itself when no
     *     worker takes its question
     */
    public void ensureUnlessAlive(UserId userId, AccountKey account) {
        if (!isAlive(userId)) {
            request(userId, new WorkerNeed(account, WorkerNeed.Why.WORKING_ORDER));
        }
    }

    /**
     * Requests a worker with a session of the account, unless the user's worker has one.
     *
     * @return why the account cannot be served; null when nothing says so
     * @throws RuntimeException when Temporal does not answer
     */
    public @Nullable Reason ensureSession(UserId userId, AccountKey account) {
        if (!hasSession(userId, account)) {
            request(userId, new WorkerNeed(account, WorkerNeed.Why.ORDER));
        }
        return refusal(userId, account);
    }

    private boolean hasSession(UserId userId, AccountKey account) {
        try {
            return isAlive(userId)
                    && WorkerHeartbeat.of(redis.hgetall(RedisKeys.metadata(userId)), null)
                            .sessions()
                            .contains(account.toString());
        } catch (RedisException unavailable) {
            return false;
        }
    }

    private boolean isAlive(UserId userId) {
        try {
            return redis.exists(RedisKeys.heartbeat(userId)) > 0;
        } catch (RedisException unavailable) {
            return false;
        }
    }

    /** Without Redis an order waits: the refusal is published again when Redis is back. */
    private @Nullable Reason refusal(UserId userId, AccountKey account) {
        try {
            String refusal = redis.hget(RedisKeys.unserved(userId), account.toString());
            return refusal == null ? null : Reason.parse(refusal);
        } catch (RedisException unavailable) {
            return null;
        }
    }

    private void request(UserId userId, WorkerNeed need) {
        if (need.why() == WorkerNeed.Why.REQUEST) {
            ensureInGroup(userId, need);
        } else if (isFirstOfThisSecond(userId, need)) {
            try {
                ensureInGroup(userId, need);
            } catch (RuntimeException failure) {
                allowNextRequest(userId, need);
                throw failure;
            }
        }
    }

    private void ensureInGroup(UserId userId, WorkerNeed need) {
        WorkerNeed inGroup = need.in(groupOf(userId));
        lifecycles.signalWithStart(userId, lifecycle -> lifecycle.ensure(inGroup));
    }

    /** Without PostgreSQL an order still gets its worker, by the share of the default group. */
    private UserGroup groupOf(UserId userId) {
        try {
            return groups.apply(userId);
        } catch (DataAccessException unavailable) {
            return UserGroup.DEFAULT;
        }
    }

    @Override
    public long oldestUnconfirmedStop(UserId userId) {
        return lifecycles.state(userId).stream()
                .flatMap(worker -> worker.unconfirmedStops().stream())
                .mapToLong(UnconfirmedStop::epoch)
                .min()
                .orElse(0);
    }

    /** Without Redis every request is sent: too many signals are better than none. */
    private boolean isFirstOfThisSecond(UserId userId, WorkerNeed need) {
        try {
            SetArgs once = SetArgs.Builder.nx().px(SIGNAL_EVERY);
            return redis.set(RedisKeys.ensured(userId, need.account()), "1", once) != null;
        } catch (RedisException unavailable) {
            return true;
        }
    }

    private void allowNextRequest(UserId userId, WorkerNeed need) {
        try {
            redis.del(RedisKeys.ensured(userId, need.account()));
        } catch (RedisException unavailable) {
            // The key expires within the second.
        }
    }
}
