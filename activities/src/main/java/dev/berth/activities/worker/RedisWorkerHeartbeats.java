package dev.berth.activities.worker;

import dev.berth.routing.StreamEvents;
import dev.berth.routing.heartbeat.HeartbeatRemoval;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.WorkerHeartbeats;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heartbeat keys in Redis; each change is one script, so that no other client sees half of it. */
public final class RedisWorkerHeartbeats implements WorkerHeartbeats {
    private static final String RAISE = """
            local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
            local wanted = tonumber(ARGV[1])
            if wanted > stored then
              redis.call('SET', KEYS[1], ARGV[1])
              return wanted
            end
            return stored
            """;

    /**
     * Milliseconds from now to the end of the lease that the last renewal began; -1 when that is
     * not known.
     */
    private static final String LEASE_LEFT = """
            local epoch, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+):(%d+)$')
            if epoch ~= ARGV[1] then return -1 end
            local time = redis.call('TIME')
            return math.max(0, at + ARGV[2] - (time[1] * 1000 + math.floor(time[2] / 1000)))
            """;

    private static final Pattern UPTIME = Pattern.compile("(?m)^uptime_in_seconds:(\\d+)");

    private final RedisCommands<String, String> redis;
    private final RedisOutages outages;
    private final StreamEvents events;

    /** @param outages hears from the connection of {@code redis} */
    public RedisWorkerHeartbeats(RedisCommands<String, String> redis, RedisOutages outages) {
        this.redis = redis;
        this.outages = outages;
        this.events = new StreamEvents(redis);
    }

    @Override
    public long raiseEpoch(UserId userId, long atLeast) {
        long epoch = redis.<Long>eval(
                RAISE, ScriptOutputType.INTEGER, new String[] {RedisKeys.epoch(userId)}, Long.toString(atLeast));
        events.publishWorker(userId);
        return epoch;
    }

    @Override
    public HeartbeatKeyState readKey(UserId userId) {
        try {
            if (redis.exists(RedisKeys.heartbeat(userId)) > 0) {
                return HeartbeatKeyState.PRESENT;
            }
            return outages.isRecent() || hasJustStarted() ? HeartbeatKeyState.UNKNOWN : HeartbeatKeyState.ABSENT;
        } catch (RedisException unavailable) {
            outages.record();
            return HeartbeatKeyState.UNKNOWN;
        }
    }

    /**
     * Whether Redis is unavailable, or was within the last 60 s: then what is gone from it proves
     * nothing.
     */
    public boolean proveNothing() {
        try {
            return outages.isRecent() || hasJustStarted();
        } catch (RedisException unavailable) {
            outages.record();
            return true;
        }
    }

    /**
     * A Redis that came back without its data has no heartbeats, though this process may not have
     * seen it go.
     */
    private boolean hasJustStarted() {
        Matcher uptime = UPTIME.matcher(redis.info("server"));
        return !uptime.find() || outages.isPossibleWith(Duration.ofSeconds(Long.parseLong(uptime.group(1))));
    }

    @Override
    public Duration leaseLeft(UserId userId, long epoch) {
        if (proveNothing()) {
            return LEASE_OVER;
        }
        Long millis = redis.eval(
                LEASE_LEFT,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.renewed(userId)},
                Long.toString(epoch),
                Long.toString(LEASE_OVER.toMillis()));
        return millis < 0 || millis > LEASE_OVER.toMillis() ? LEASE_OVER : Duration.ofMillis(millis);
    }

    @Override
    public boolean isOfAnother(UserId userId, String taskArn) {
        try {
            String user = redis.get(RedisKeys.task(TaskArns.id(taskArn)));
            return user != null && !user.equals(userId.value()) && !user.equals(RedisKeys.POOL_USER);
        } catch (RedisException unavailable) {
            outages.record();
            return false;
        }
    }

    @Override
    public boolean hasWaitingOrders(UserId userId) {
        return redis.zcard(RedisKeys.activeOrders(userId)) > 0;
    }

    @Override
    public void deleteKey(UserId userId, long epoch) {
        new HeartbeatRemoval(redis).removeOfEpoch(userId, epoch);
        events.publishWorker(userId);
    }
}
