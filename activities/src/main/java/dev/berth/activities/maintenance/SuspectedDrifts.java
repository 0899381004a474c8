package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drift of the last sweep, which the next sweep may confirm. Redis keeps it beyond the life of a
 * process.
 */
final class SuspectedDrifts {
    /**
     * Replaces the whole hash at once. KEYS[1]: the hash; ARGV: time to live in ms, then the
     * fields.
     */
    private static final String REPLACE = """
            redis.call('DEL', KEYS[1])
            for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
            if #ARGV > 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
            return 1
            """;

    /** A sweep with slow or retried heals can take as long as three intervals. */
    private static final int KEPT_INTERVALS = 10;

    private final RedisCommands<String, String> redis;
    private final Duration interval;

    /** @param interval between two sweeps */
    SuspectedDrifts(RedisCommands<String, String> redis, Duration interval) {
        this.redis = redis;
        this.interval = interval;
    }

    /**
     * Returns the drift with direct proof, or that the previous sweep found too. A sweep that
     * follows at once, for example a manual one, confirms nothing. Keeps the others for the next
     * sweep, and forgets resolved drift.
     */
    List<DriftObservation> confirmed(List<DriftObservation> found, Instant now) {
        Map<String, String> previous = redis.hgetall(RedisKeys.SUSPECTS);
        Map<String, String> next = new HashMap<>();
        List<DriftObservation> confirmed = new ArrayList<>();
        for (DriftObservation observation : found) {
            String identity = observation.drift().identity();
            String first = previous.getOrDefault(identity, Long.toString(now.toEpochMilli()));
            next.put(identity, first);
            if (observation.isProven() || now.toEpochMilli() - Long.parseLong(first) >= interval.toMillis() / 2) {
                confirmed.add(observation);
            }
        }
        store(next);
        return confirmed;
    }

    private void store(Map<String, String> suspects) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(interval.multipliedBy(KEPT_INTERVALS).toMillis()));
        suspects.forEach((identity, first) -> {
            arguments.add(identity);
            arguments.add(first);
        });
        redis.eval(
                REPLACE, ScriptOutputType.INTEGER, new String[] {RedisKeys.SUSPECTS}, arguments.toArray(String[]::new));
    }
}
