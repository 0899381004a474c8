package dev.berth.rest.risk;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.Quote;
import io.lettuce.core.Range;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Quotes on their way from the broker to those who check limits. */
public final class RedisQuotes {
    /** A little less than the second between two reads, so that one replica alone misses none. */
    private static final Duration TURN = Duration.ofMillis(900);
    /** The next order of a symbol is likely soon. */
    private static final Duration WANTED_FOR = Duration.ofHours(1);

    private final RedisCommands<String, String> redis;
    private final Set<String> always;

    /** @param always symbols that are read whenever any limit needs quotes */
    public RedisQuotes(RedisCommands<String, String> redis, Set<String> always) {
        this.redis = redis;
        this.always = always;
    }

    /** Whether no other replica has read in the last second. */
    public boolean isMyTurn() {
        return redis.set(RedisKeys.QUOTES_TURN, "1", SetArgs.Builder.nx().px(TURN)) != null;
    }

    /** The symbols whose quotes some limit needs. */
    public Set<String> wanted() {
        if (redis.exists(RedisKeys.QUOTES_NEEDED) == 0) {
            return Set.of();
        }
        Set<String> wanted = new HashSet<>(always);
        wanted.addAll(redis.zrangebyscore(
                RedisKeys.QUOTES_WANTED, Range.create(now().minus(WANTED_FOR).toEpochMilli(), Double.MAX_VALUE)));
        return wanted;
    }

    /** Redis's clock, by which the age of a quote is told. */
    public Instant now() {
        List<String> time = redis.time();
        return Instant.ofEpochSecond(Long.parseLong(time.getFirst()), Long.parseLong(time.getLast()) * 1000);
    }

    public void store(Map<String, Quote> quotes) {
        if (!quotes.isEmpty()) {
            Map<String, String> fields = new HashMap<>();
            quotes.forEach((symbol, quote) -> fields.put(symbol, Json.write(quote)));
            redis.hset(RedisKeys.QUOTES, fields);
        }
    }
}
