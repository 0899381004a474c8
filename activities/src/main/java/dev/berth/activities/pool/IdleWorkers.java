package dev.berth.activities.pool;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.TaskArns;
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

/** The pool workers in Redis that can be claimed now. */
final class IdleWorkers {
    private final RedisCommands<String, String> redis;
    private final InstantSource clock;
    private final String list;

    /** @param list the Redis key of the idle workers */
    IdleWorkers(RedisCommands<String, String> redis, String list, InstantSource clock) {
        this.redis = redis;
        this.list = list;
        this.clock = clock;
    }

    /** An idle worker; {@code age} since the start of its process. */
    record IdleWorker(String taskId, Duration age) {
        boolean isOlderThan(Duration lifetime) {
            return age.compareTo(lifetime) > 0;
        }
    }

    /**
     * Oldest first. Removes a worker without a heartbeat from the list: the worker is dead or
     * frozen.
     */
    List<IdleWorker> all() {
        List<ScoredValue<String>> listed = redis.zrangeWithScores(list, 0, -1);
        List<String> heartbeats = listed.stream()
                .map(worker -> RedisKeys.poolHeartbeat(worker.getValue()))
                .toList();
        List<Boolean> alive = exist(heartbeats);
        Instant now = clock.instant();
        List<IdleWorker> idle = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            if (!alive.get(i)) {
                redis.zrem(list, listed.get(i).getValue());
            } else {
                Instant since = Instant.ofEpochMilli((long) listed.get(i).getScore());
                idle.add(new IdleWorker(listed.get(i).getValue(), Duration.between(since, now)));
            }
        }
        return idle;
    }

    /** Whether the worker is on the list, with or without a heartbeat. */
    boolean lists(String taskId) {
        return redis.zscore(list, taskId) != null;
    }

    /** The tasks among these that are idle, reserved, or serve a user. */
    Set<String> started(List<String> taskArns) {
        List<String> ids = taskArns.stream().map(TaskArns::id).toList();
        List<Boolean> idle = exist(ids.stream().map(RedisKeys::poolHeartbeat).toList());
        List<Boolean> serving = exist(ids.stream().map(RedisKeys::task).toList());
        Set<String> started = new LinkedHashSet<>();
        for (int i = 0; i < ids.size(); i++) {
            if (idle.get(i) || serving.get(i)) {
                started.add(taskArns.get(i));
            }
        }
        return started;
    }

    private List<Boolean> exist(List<String> keys) {
        return keys.isEmpty()
                ? List.of()
                : redis.mget(keys.toArray(String[]::new)).stream()
                        .map(KeyValue::hasValue)
                        .toList();
    }
}
