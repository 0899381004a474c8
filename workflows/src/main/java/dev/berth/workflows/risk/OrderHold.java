package dev.berth.workflows.risk;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a worker sends no order of its user, though no order is refused for it: the orders wait until
 * their deadlines. Cancels pass.
 */
public enum OrderHold {
    /** All users are suspended. */
    ALL,
    /** This user is suspended. */
    USER,
    /** A stop ended this epoch; the worker of a later one sends. */
    STOPPED;

    /**
     * An order leaves the worker within this time after the look at Redis was sent; a look that is
     * older is repeated. A look takes some 5 ms; this leaves room for a busy machine. A worker that
     * is always further than this from Redis sends nothing.
     */
    public static final Duration LOOK_VALID = Duration.ofMillis(100);

    /**
     * This long after Redis has a hold no worker sends any more: {@link #LOOK_VALID}, and 150 ms
     * for a thread that stands still between its last check and the write, such as for the garbage
     * collector.
     */
    public static final Duration EFFECTIVE_AFTER = Duration.ofMillis(250);

    /** Field of {@link RedisKeys#HOLDS} in place of a user's id: all users are suspended. */
    public static final String EVERYBODY = "*";

    /**
     * Field of {@link RedisKeys#HOLDS}: the version at {@link RedisKeys#FLEET_LOADED}, a blank, and
     * how many fields there are beside it. Without it nothing is sent.
     */
    public static final String COPY = "#";

    /** Before the name of a kill switch: the mass cancels of those orders, as JSON. */
    private static final String CANCELS = "cancel:";

    /** How many fields the script's answer has: also one for the hold, three for mass cancels. */
    public static final int FIELDS = RiskView.FIELDS + 4;

    /**
     * Answers what {@link RiskView#of} and {@link #of} read, all of one moment. Holds of another
     * version than the sentinel's, or another number of them than was copied, are answered as if
     * nothing were loaded: one may have been removed. No digest, since there may be thousands.
     */
    public static final String SCRIPT = RiskView.LUA + """
            local function hold(version)
              local found = redis.call('HMGET', KEYS[6], '#', '*', ARGV[5])
              if found[1] ~= version .. ' ' .. (redis.call('HLEN', KEYS[6]) - 1) then return nil end
              if found[2] then return 'ALL' end
              if found[3] then return 'USER' end
              local stopped = redis.call('GET', KEYS[7])
              return stopped and tonumber(stopped) >= tonumber(ARGV[6]) and 'STOPPED' or ''
            end
            local function cancels()
              return redis.call('HMGET', KEYS[6], 'cancel:all', 'cancel:' .. ARGV[1], 'cancel:' .. ARGV[2])
            end
            local view = risk()
            local held = view[1] ~= '' and hold(string.match(view[1], '^%d+'))
            if not held then view[1] = '' end
            view[8] = held or ''
            local canceled = cancels()
            for i = 1, 3 do view[8 + i] = canceled[i] or '' end
            return view
            """;

    public static List<String> keys(UserId userId) {
        return Stream.concat(RiskView.keys().stream(), Stream.of(RedisKeys.HOLDS, RedisKeys.stopped(userId)))
                .toList();
    }

    /**
     * The arguments of the script.
     *
     * @param epoch of the worker that asks
     */
    public static List<String> arguments(UserId userId, long epoch, AccountKey account, String symbol) {
        return Stream.concat(
                        RiskView.arguments(userId, account, symbol).stream(),
                        Stream.of(userId.value(), Long.toString(epoch)))
                .toList();
    }

    /**
     * The fields of {@link RedisKeys#HOLDS}.
     *
     * @param version of the copy
     * @param suspended users' ids and {@link #EVERYBODY}, each with the version of the
     *     suspension
     * @param cancels mass cancels, by the name of a kill switch
     */
    public static Map<String, String> fields(
            long version, Map<String, Long> suspended, Map<String, List<MassCancel>> cancels) {
        Map<String, String> fields = new HashMap<>();
        suspended.forEach((name, since) -> fields.put(name, since.toString()));
        cancels.forEach((name, requests) -> fields.put(CANCELS + name, MassCancel.write(requests)));
        fields.put(COPY, version + " " + fields.size());
        return fields;
    }

    /**
     * Reads the script's answer; empty when nothing holds the orders.
     *
     * @throws IllegalArgumentException when it is no such answer
     */
    public static Optional<OrderHold> of(List<?> answer) {
        if (answer.size() < FIELDS) {
            throw new IllegalArgumentException("an answer of " + answer.size() + " fields");
        }
        String name = String.valueOf(answer.get(RiskView.FIELDS));
        return name.isEmpty() ? Optional.empty() : Optional.of(valueOf(name));
    }

    /**
     * Reads the mass cancels that may concern the order.
     *
     * @throws IllegalArgumentException when it is no such answer
     */
    public static List<MassCancel> cancels(List<?> answer) {
        return answer.subList(RiskView.FIELDS + 1, FIELDS).stream()
                .flatMap(json -> MassCancel.read(String.valueOf(json)).stream())
                .toList();
    }

    /** What becomes of an order that is held. */
    public Declined declined() {
        return switch (this) {
            case ALL ->
                new Declined(
                        Cause.HELD,
                        FailureCode.SUSPENDED.because(
                                "All users are suspended: no order is sent until they are resumed."));
            case USER ->
                new Declined(
                        Cause.HELD,
                        FailureCode.SUSPENDED.because(
                                "The user is suspended: no order is sent until the user is resumed."));
            case STOPPED ->
                new Declined(
                        Cause.FENCED, FailureCode.DECLINED.because("The worker was stopped and sends nothing more."));
        };
    }
}
