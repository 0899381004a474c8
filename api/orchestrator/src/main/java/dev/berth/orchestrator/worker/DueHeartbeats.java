package dev.berth.orchestrator.worker;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.process.PeriodicTask;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.stereotype.Component;

/**
 * Signals a user's lifecycle when the heartbeat key of its worker expired, and the pool when that
 * of an idle worker did. Both read the key again before they act, so a repeated signal is harmless.
 * Keyspace notifications are no substitute: Redis finds expired keys by sampling, with 10,000
 * workers up to 137 s late.
 */
@Component
class DueHeartbeats extends PeriodicTask {
    private static final Duration EVERY = Duration.ofMillis(500);
    /**
     * Longer scripts make other clients of Redis wait. The other keys are due in the next round.
     */
    private static final int BATCH = 1_000;
    /**
     * An entry leaves the list after its signal. If this replica dies before, another one repeats
     * it then.
     */
    private static final Duration CLAIM = Duration.ofSeconds(5);
    /** After an outage of Redis all keys may have expired at once. */
    private static final int CONCURRENT_SIGNALS = 8;

    private static final String CLAIM_EXPIRED = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
            local expired = {}
            for _, user in ipairs(due) do
              local left = redis.call('PTTL', ARGV[2] .. user)
              if left < 0 then
                left = ARGV[3]
                table.insert(expired, user)
              end
              redis.call('ZADD', KEYS[1], now + left, user)
            end
            return expired
            """;

    /** A worker that renewed its key meanwhile stays on the list. */
    private static final String REMOVE_EXPIRED = """
            if redis.call('PTTL', KEYS[2]) < 0 then return redis.call('ZREM', KEYS[1], ARGV[1]) end
            return 0
            """;

    private static final String EXPIRED_IDLE = """
            local expired = {}
            for _, task in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
              if redis.call('EXISTS', ARGV[1] .. task) == 0 then table.insert(expired, task) end
            end
            return expired
            """;

    private final RedisCommands<String, String> redis;
    private final LifecycleWorkflowClient lifecycles;
    private final List<UserGroup> groups;

    DueHeartbeats(
            StatefulRedisConnection<String, String> redis, LifecycleWorkflowClient lifecycles, LaunchTargets targets) {
        super("due-heartbeats", EVERY);
        this.redis = redis.sync();
        this.lifecycles = lifecycles;
        this.groups = targets.all().stream().map(LaunchTarget::group).toList();
    }

    @Override
    protected void round() throws InterruptedException, ExecutionException {
        groups.forEach(this::signalPool);
        signalLifecycles(claimExpired());
    }

    /** The users whose key expired; until the claim ends no other replica gets them. */
    List<UserId> claimExpired() {
        List<String> users = redis.eval(
                CLAIM_EXPIRED,
                ScriptOutputType.MULTI,
                new String[] {RedisKeys.HEARTBEATS},
                Integer.toString(BATCH),
                RedisKeys.HEARTBEAT,
                Long.toString(CLAIM.toMillis()));
        return users.stream().map(UserId::parse).flatMap(Optional::stream).toList();
    }

    private void signalLifecycles(List<UserId> users) throws InterruptedException, ExecutionException {
        if (users.isEmpty()) {
            return;
        }
        List<Callable<Long>> signals = users.stream()
                .<Callable<Long>>map(userId -> () -> signalLifecycle(userId))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(
                CONCURRENT_SIGNALS, Thread.ofVirtual().factory())) {
            for (Future<Long> signal : threads.invokeAll(signals)) {
                signal.get();
            }
        }
    }

    private long signalLifecycle(UserId userId) {
        lifecycles.signal(userId, WorkerLifecycleWorkflow::heartbeatExpired);
        return redis.<Long>eval(
                REMOVE_EXPIRED,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.HEARTBEATS, RedisKeys.heartbeat(userId)},
                userId.value());
    }

    /** An idle worker that renews its key puts itself back on the idle list. */
    private void signalPool(UserGroup group) {
        String idle = PoolNames.idle(group);
        List<String> tasks =
                redis.eval(EXPIRED_IDLE, ScriptOutputType.MULTI, new String[] {idle}, RedisKeys.poolHeartbeat(""));
        if (!tasks.isEmpty()) {
            lifecycles.signalPool(group, PoolWorkflow::refill);
            redis.zrem(idle, tasks.toArray(String[]::new));
        }
    }
}
