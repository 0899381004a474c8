package dev.berth.routing;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lists of requests and answers in Redis. Each change is one script. A request stands in the
 * list as {@code epoch:json}, since the script that looks the route up adds its epoch.
 */
final class RequestQueue {
    /** Requests that wait for one replica; more are not sent. */
    static final int MAX_QUEUED = 1_000;
    /** Longer than any caller waits. */
    private static final Duration KEPT = Duration.ofSeconds(60);

    /** The value at the key of a call that was withdrawn before its request reached Redis. */
    private static final String WITHDRAWN = "-";

    /**
     * Repeatable: Lettuce sends a command again whose connection broke before its answer. KEYS:
     * route, epoch, call. ARGV: prefix of entries, prefix of lists, request, limit, TTL.
     */
    private static final String PUSH = """
            local sent = redis.call('GET', KEYS[3])
            if sent then
              local replica, epoch = string.match(sent, '^(.+) (%d+)$')
              if replica then return {'sent', replica, epoch} end
              return {'withdrawn'}
            end
            local replica = redis.call('GET', KEYS[1])
            if not replica or redis.call('EXISTS', ARGV[1] .. replica) == 0 then return {'disconnected'} end
            local epoch = redis.call('GET', KEYS[2])
            local list = ARGV[2] .. replica
            if redis.call('LLEN', list) >= tonumber(ARGV[4]) then return {'full'} end
            redis.call('RPUSH', list, epoch .. ':' .. ARGV[3])
            redis.call('PEXPIRE', list, ARGV[5])
            redis.call('SET', KEYS[3], replica .. ' ' .. epoch, 'PX', ARGV[5])
            return {'sent', replica, epoch}
            """;

    /** KEYS: answer. ARGV: entry. */
    private static final String POLL = """
            local answer = redis.call('LPOP', KEYS[1])
            if answer then return {'answered', answer} end
            return {redis.call('EXISTS', ARGV[1]) == 1 and 'waiting' or 'gone'}
            """;

    /**
     * Ends the call. KEYS: answer, call. ARGV: prefix of lists, request, TTL, value of a withdrawn
     * call.
     */
    private static final String SETTLE = """
            local answer = redis.call('LPOP', KEYS[1])
            if answer then return {'answered', answer} end
            local sent = redis.call('GET', KEYS[2])
            if not sent then
              redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
              return {'withdrawn'}
            end
            local replica, epoch = string.match(sent, '^(.+) (%d+)$')
            if not replica then return {'withdrawn'} end
            local removed = redis.call('LREM', ARGV[1] .. replica, 1, epoch .. ':' .. ARGV[2])
            return {removed == 1 and 'withdrawn' or 'taken'}
            """;

    /** KEYS: answer. ARGV: answer, TTL, channel, call. */
    private static final String ANSWER = """
            redis.call('RPUSH', KEYS[1], ARGV[1])
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return redis.call('PUBLISH', ARGV[3], ARGV[4])
            """;

    private static final String TTL = Long.toString(KEPT.toMillis());

    private final RedisCommands<String, String> redis;

    RequestQueue(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** What Redis says of a call. */
    enum State {
        /** In the replica's list. */
        SENT,
        /** No replica holds a connection. */
        DISCONNECTED,
        FULL,
        WAITING,
        /** The replica's entry has ended. */
        GONE,
        ANSWERED,
        /** No replica has taken it, or will. */
        WITHDRAWN,
        /** The replica took it. */
        TAKEN;

        private static State of(List<String> reply) {
            return valueOf(reply.getFirst().toUpperCase(Locale.ROOT));
        }
    }

    /** @param value replica when sent, result when answered */
    record Reply(State state, @Nullable String value) {
        private static Reply of(List<String> reply) {
            return new Reply(State.of(reply), reply.size() > 1 ? reply.get(1) : null);
        }

        ReplicaId replica() {
            return new ReplicaId(Objects.requireNonNull(value));
        }

        CallResult result() {
            return Json.read(Objects.requireNonNull(value), CallResult.class);
        }
    }

    Reply push(RoutedRequest request) {
        String[] route = RouteRegistry.keys(request.userId(), request.environment());
        return Reply.of(redis.eval(
                PUSH,
                ScriptOutputType.MULTI,
                new String[] {route[0], route[1], RedisKeys.routedCall(request.callId())},
                RedisKeys.REPLICA,
                RedisKeys.REQUESTS,
                Json.write(request),
                Integer.toString(MAX_QUEUED),
                TTL));
    }

    Reply poll(String callId, ReplicaId replica) {
        return Reply.of(redis.eval(
                POLL,
                ScriptOutputType.MULTI,
                new String[] {RedisKeys.routedAnswer(callId)},
                RedisKeys.REPLICA + replica));
    }

    Reply settle(RoutedRequest request) {
        return Reply.of(redis.eval(
                SETTLE,
                ScriptOutputType.MULTI,
                new String[] {RedisKeys.routedAnswer(request.callId()), RedisKeys.routedCall(request.callId())},
                RedisKeys.REQUESTS,
                Json.write(request),
                TTL,
                WITHDRAWN));
    }

    void answer(RoutedRequest request, CallResult result) {
        redis.eval(
                ANSWER,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.routedAnswer(request.callId())},
                Json.write(result),
                TTL,
                RedisKeys.answersFor(request.caller()),
                request.callId());
    }

    /** Reads what {@link #push} wrote. */
    static RoutedRequest read(String element) {
        int colon = element.indexOf(':');
        return Json.read(element.substring(colon + 1), RoutedRequest.class)
                .of(Long.parseLong(element.substring(0, colon)));
    }
}
