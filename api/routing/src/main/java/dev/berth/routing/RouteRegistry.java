package dev.berth.routing;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Which replica holds a user's connection. Refresh and removal compare replica and connection
 * epoch, so a late disconnect never removes the route of a newer connection.
 */
public final class RouteRegistry {
    /** A route that no replica refreshes ends after this time. */
    public static final Duration TTL = Duration.ofSeconds(30);
    /** How often the replica refreshes the route of a connection that it holds. */
    public static final Duration REFRESH = Duration.ofSeconds(10);

    /**
     * How long an epoch outlives its last route. A lost or ended one starts again at the time of
     * day in microseconds, which is higher than any before.
     */
    private static final Duration EPOCH_TTL = Duration.ofDays(1);

    /** KEYS: route, epoch. ARGV: replica, TTL of the route, of the epoch. */
    private static final String REGISTER = """
            if redis.call('EXISTS', KEYS[2]) == 0 then
              local time = redis.call('TIME')
              redis.call('SET', KEYS[2], string.format('%.0f', time[1] * 1000000 + time[2]))
            end
            local epoch = redis.call('INCR', KEYS[2])
            redis.call('PEXPIRE', KEYS[2], ARGV[3])
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return epoch
            """;

    private static final String IS_MINE =
            "redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('GET', KEYS[2]) == ARGV[2]";

    private static final String REFRESH_MINE = "if not (" + IS_MINE + """
            ) then return 0 end
            redis.call('PEXPIRE', KEYS[2], ARGV[4])
            return redis.call('PEXPIRE', KEYS[1], ARGV[3])
            """;

    private static final String REMOVE_MINE =
            "if not (" + IS_MINE + ") then return 0 end return redis.call('DEL', KEYS[1])";

    /** KEYS: route, epoch. ARGV: prefix of replicas' entries. */
    private static final String LOOKUP = """
            local replica = redis.call('GET', KEYS[1])
            if not replica or redis.call('EXISTS', ARGV[1] .. replica) == 0 then return {} end
            return {replica, redis.call('GET', KEYS[2])}
            """;

    private final RedisCommands<String, String> redis;

    public RouteRegistry(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    static String[] keys(UserId userId, Environment environment) {
        return new String[] {RedisKeys.route(userId, environment), RedisKeys.connectionEpoch(userId, environment)};
    }

    /** Takes the route over from any other replica or connection. */
    public Route register(UserId userId, Environment environment, ReplicaId replica) {
        Long epoch = redis.eval(
                REGISTER,
                ScriptOutputType.INTEGER,
                keys(userId, environment),
                replica.value(),
                Long.toString(TTL.toMillis()),
                Long.toString(EPOCH_TTL.toMillis()));
        return new Route(replica, epoch);
    }

    /**
     * Extends the route by {@link #TTL}.
     *
     * @return false when the route has ended or another connection took it over: register again if
     *     the connection is still the customer's newest, else close it
     */
    public boolean refresh(UserId userId, Environment environment, Route route) {
        return changed(
                REFRESH_MINE,
                userId,
                environment,
                route,
                Long.toString(TTL.toMillis()),
                Long.toString(EPOCH_TTL.toMillis()));
    }

    /** Removes the route; false, and nothing happens, when it has ended or is another's by now. */
    public boolean remove(UserId userId, Environment environment, Route route) {
        return changed(REMOVE_MINE, userId, environment, route);
    }

    private boolean changed(String script, UserId userId, Environment environment, Route route, String... more) {
        String[] arguments = new String[2 + more.length];
        arguments[0] = route.replica().value();
        arguments[1] = Long.toString(route.connectionEpoch());
        System.arraycopy(more, 0, arguments, 2, more.length);
        return redis.<Long>eval(script, ScriptOutputType.INTEGER, keys(userId, environment), arguments) > 0;
    }

    /** Empty without a connection, and when the replica that held it has died. */
    public Optional<Route> lookup(UserId userId, Environment environment) {
        List<String> found = redis.eval(LOOKUP, ScriptOutputType.MULTI, keys(userId, environment), RedisKeys.REPLICA);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Route(new ReplicaId(found.getFirst()), Long.parseLong(found.getLast())));
    }
}
