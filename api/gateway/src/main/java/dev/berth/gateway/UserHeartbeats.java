package dev.berth.gateway;

import dev.berth.routing.heartbeat.HeartbeatRemoval;
import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatAnswer;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The Redis key that says which task serves a user, with its metadata. Every change is one script
 * that first compares the epoch; task, user and epoch are the caller's own.
 */
final class UserHeartbeats {
    /**
     * Sets or extends the key if the epoch is the current one and no other task holds the key. A
     * retired pool worker gets no user.
     */
    private static final String RENEW = """
            local epoch = redis.call('GET', KEYS[1])
            if not epoch then return 'EPOCH_LOST' end
            if tonumber(epoch) > tonumber(ARGV[1]) then return 'SUPERSEDED' end
            if tonumber(epoch) < tonumber(ARGV[1]) then return 'EPOCH_OLDER' end
            local holder = redis.call('GET', KEYS[2])
            if holder and holder ~= ARGV[2] then return 'TAKEN' end
            if redis.call('GET', KEYS[5]) == ARGV[5] then return 'TAKEN' end
            redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
            redis.call('HSET', KEYS[3], unpack(ARGV, 6))
            redis.call('PEXPIRE', KEYS[3], ARGV[3])
            redis.call('SET', KEYS[4], ARGV[4], 'EX', 3600)
            local now = redis.call('TIME')
            local millis = now[1] * 1000 + math.floor(now[2] / 1000)
            redis.call('ZADD', KEYS[6], millis + ARGV[3], ARGV[4])
            redis.call('SET', KEYS[7], ARGV[1] .. ':' .. string.format('%.0f', millis), 'EX', 600)
            return 'MINE'
            """;

    private static final String UPDATE = """
            local epoch = redis.call('GET', KEYS[3])
            if epoch and tonumber(epoch) > tonumber(ARGV[2]) then return -1 end
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[2], unpack(ARGV, 3))
            return 1
            """;

    private static final long SUPERSEDED = -1;
    private static final int LONGEST_TEXT = 256;

    private final RedisCommands<String, String> redis;
    private final HeartbeatRemoval removal;
    private final GatewayListener listener;
    private final Refusals refusals;

    UserHeartbeats(RedisCommands<String, String> redis, GatewayListener listener, Refusals refusals) {
        this.redis = redis;
        this.removal = new HeartbeatRemoval(redis);
        this.listener = listener;
        this.refusals = refusals;
    }

    /** @throws IllegalArgumentException when a text is too long, or something is missing */
    static void check(HeartbeatRequest request) {
        if (Stream.of(request.activity(), request.host(), request.version(), request.launchedAt())
                .anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("activity, host, version or launch time are missing");
        }
        for (String text : List.of(request.host(), request.version(), request.launchedAt())) {
            if (text.length() > LONGEST_TEXT) {
                throw new IllegalArgumentException("host, version or launch time are too long");
            }
        }
    }

    HeartbeatAnswer renew(Caller caller, HeartbeatRequest request) {
        check(request);
        Assignment serving = caller.serving();
        String task = caller.task().taskId();
        String[] keys = {
            RedisKeys.epoch(serving.userId()),
            RedisKeys.heartbeat(serving.userId()),
            RedisKeys.metadata(serving.userId()),
            RedisKeys.task(task),
            RedisKeys.reserved(task),
            RedisKeys.HEARTBEATS,
            RedisKeys.renewed(serving.userId())
        };
        List<String> arguments = List.of(
                Long.toString(serving.epoch()),
                task,
                Long.toString(RedisKeys.HEARTBEAT_TTL.toMillis()),
                serving.userId().value(),
                RedisKeys.RETIRED);
        List<String> fields = WorkerHeartbeat.fields(caller.task().taskArn(), serving.epoch(), request);
        String verdict = redis.eval(RENEW, ScriptOutputType.VALUE, keys, joined(arguments, fields));
        listener.requestsUsed(request.activity().requestsUsed());
        return new HeartbeatAnswer(HeartbeatVerdict.valueOf(verdict));
    }

    void update(Caller caller, ReportedActivity activity) {
        Assignment serving = caller.serving();
        Long updated = redis.eval(
                UPDATE,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.heartbeat(serving.userId()),
                    RedisKeys.metadata(serving.userId()),
                    RedisKeys.epoch(serving.userId())
                },
                joined(
                        List.of(caller.task().taskId(), Long.toString(serving.epoch())),
                        WorkerHeartbeat.fields(activity)));
        if (updated == SUPERSEDED) {
            throw refusals.superseded(GatewayMethods.UPDATE_HEARTBEAT);
        }
    }

    void remove(Caller caller) {
        removal.removeOfTask(caller.serving().userId(), caller.task().taskId());
    }

    private static String[] joined(List<String> arguments, List<String> fields) {
        return Stream.concat(arguments.stream(), fields.stream()).toArray(String[]::new);
    }
}
