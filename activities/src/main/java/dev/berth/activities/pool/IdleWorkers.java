package dev.berth.activities.pool;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The pool workers that could be claimed now, as Redis knows them. */
final class IdleWorkers {
    private final RedisCommands<String, String> redis;
    private final InstantSource clock;

    IdleWorkers(RedisCommands<String, String> redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** An idle worker; {@code age} since its process began. */
    record Idle(String taskId, Duration age) {
        boolean isOlderThan(Duration lifetime) {
            return age.compareTo(lifetime) > 0;
        }
    }

    /** The oldest first. One whose mark ran out is dead or frozen: it is none, and is taken off the list. */
    List<Idle> all() {
        List<ScoredValue<String>> listed = redis.zrangeWithScores(RedisKeys.POOL_IDLE, 0, -1);
        List<String> marks = listed.stream()
                .map(worker -> RedisKeys.poolMark(worker.getValue()))
                .toList();
        List<Boolean> alive = exist(marks);
        Instant now = clock.instant();
        List<Idle> idle = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            if (!alive.get(i)) {
                redis.zrem(RedisKeys.POOL_IDLE, listed.get(i).getValue());
            } else {
                Instant since = Instant.ofEpochMilli((long) listed.get(i).getScore());
                idle.add(new Idle(listed.get(i).getValue(), Duration.between(since, now)));
            }
        }
        return idle;
    }

    /** Those of these tasks that are idle, reserved, or serve a user. */
    Set<String> arrived(List<String> taskArns) {
        List<String> ids = taskArns.stream().map(RedisKeys::taskId).toList();
        List<Boolean> idle = exist(ids.stream().map(RedisKeys::poolMark).toList());
        List<Boolean> serving = exist(ids.stream().map(RedisKeys::task).toList());
        Set<String> arrived = new LinkedHashSet<>();
        for (int i = 0; i < ids.size(); i++) {
            if (idle.get(i) || serving.get(i)) {
                arrived.add(taskArns.get(i));
            }
        }
        return arrived;
    }

    private List<Boolean> exist(List<String> keys) {
        return keys.isEmpty()
                ? List.of()
                : redis.mget(keys.toArray(String[]::new)).stream()
                        .map(KeyValue::hasValue)
                        .toList();
    }
}
