package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMessages.Claim;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatAnswer;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.IdleAnswer;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolNames;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Optional;

/** A pool worker while it is idle, and the one claim that gives it a user. */
final class PoolMembership {
    private static final long IN_USE = -1;
    private static final long RETIRED = 0;

    /**
     * A worker whose reservation expired returns to the list; a retired, bound or stopped one does
     * not.
     */
    private static final String RENEW = """
            if redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[6]) > 0 then return -1 end
            if redis.call('GET', KEYS[3]) == ARGV[4] then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            if redis.call('EXISTS', KEYS[3]) == 0 then
              redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[1])
            end
            return 1
            """;

    private static final String LEAVE = """
            redis.call('DEL', KEYS[1])
            return redis.call('ZREM', KEYS[2], ARGV[1])
            """;

    /**
     * Consumes the reservation that the lifecycle made for exactly this task, user and epoch. A
     * claim whose user has a newer epoch by now is void, and leaves the worker in the pool. A task
     * that was stopped gets no user. The task counts as one with a user from now on, so that the
     * pool does not retire it before its first heartbeat.
     */
    private static final String BIND = """
            if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[5]) > 0 then return 0 end
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            if redis.call('GET', KEYS[4]) ~= ARGV[5] then return 0 end
            redis.call('DEL', KEYS[1], KEYS[6])
            redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
            redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
            return 1
            """;

    private final RedisCommands<String, String> redis;
    private final AssignmentTokens assignments;
    private final UserHeartbeats heartbeats;
    private final Refusals refusals;

    PoolMembership(
            RedisCommands<String, String> redis,
            AssignmentTokens assignments,
            UserHeartbeats heartbeats,
            Refusals refusals) {
        this.redis = redis;
        this.assignments = assignments;
        this.heartbeats = heartbeats;
        this.refusals = refusals;
    }

    /** Without effect once the task has a user: that claim's answer may be on its way. */
    IdleAnswer renew(Caller caller) {
        requireIdle(GatewayMethods.RENEW_IDLE.getFullMethodName(), caller);
        return new IdleAnswer(list(caller) == RETIRED);
    }

    /**
     * Lists a worker that is to wait for its claim.
     *
     * @return false when the pool has retired the worker
     * @throws io.grpc.StatusRuntimeException when the task has a user
     */
    boolean enter(Caller caller) {
        String method = GatewayMethods.AWAIT_CLAIM.getFullMethodName();
        requireIdle(method, caller);
        long listed = list(caller);
        if (listed == IN_USE) {
            throw refusals.refuse(method, Refusal.STATE, "the worker has a user, or was stopped");
        }
        return listed != RETIRED;
    }

    /** Listed since it enrolled: by its own word it could be the next to be claimed. */
    private long list(Caller caller) {
        String task = caller.task().taskId();
        return redis.<Long>eval(
                RENEW,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.poolHeartbeat(task),
                    idleList(caller),
                    RedisKeys.reserved(task),
                    RedisKeys.bound(task),
                    RedisKeys.task(task),
                    RedisKeys.stoppedTask(task)
                },
                task,
                Long.toString(RedisKeys.HEARTBEAT_TTL.toMillis()),
                Long.toString(caller.task().enrolledAt().toEpochMilli()),
                RedisKeys.RETIRED);
    }

    void leave(Caller caller) {
        String task = caller.task().taskId();
        redis.eval(
                LEAVE, ScriptOutputType.INTEGER, new String[] {RedisKeys.poolHeartbeat(task), idleList(caller)}, task);
    }

    /**
     * The idle list of the group that the task was run for: no other group's claim can reserve the
     * task.
     */
    private static String idleList(Caller caller) {
        return PoolNames.idle(UserGroup.orDefault(caller.task().pool()));
    }

    /**
     * Makes the task the user's and sets the user's heartbeat key.
     *
     * @return empty, without effect, when the task is not reserved for exactly that claim
     * @throws io.lettuce.core.RedisException when the outcome is unknown
     */
    Optional<Claim> bind(Caller caller, ClaimMessage claim, HeartbeatRequest heartbeat) {
        String task = caller.task().taskId();
        Long bound = redis.eval(
                BIND,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.reserved(task),
                    RedisKeys.bound(task),
                    RedisKeys.task(task),
                    RedisKeys.epoch(claim.userId()),
                    RedisKeys.stoppedTask(task),
                    RedisKeys.poolHeartbeat(task)
                },
                RedisKeys.claim(claim.userId(), claim.epoch()),
                Long.toString(Enrolment.BINDING_TTL.toSeconds()),
                claim.userId().value(),
                Long.toString(RedisKeys.HEARTBEAT_TTL.toMillis()),
                Long.toString(claim.epoch()));
        if (bound == 0) {
            return Optional.empty();
        }
        Assignment assignment = new Assignment(task, claim.userId(), claim.epoch());
        HeartbeatAnswer first = heartbeats.renew(new Caller(caller.task(), assignment), heartbeat);
        return Optional.of(new Claim(claim.userId(), claim.epoch(), assignments.token(assignment), first.verdict()));
    }

    /** The process does not know of its claim: the key must not keep the user's next worker out. */
    void release(Caller caller, Claim claim) {
        Assignment assignment = new Assignment(caller.task().taskId(), claim.userId(), claim.epoch());
        heartbeats.remove(new Caller(caller.task(), assignment));
    }

    private void requireIdle(String method, Caller caller) {
        if (!caller.task().fromPool() || caller.assignment() != null) {
            throw refusals.refuse(method, Refusal.STATE, "the worker has a user");
        }
    }
}
