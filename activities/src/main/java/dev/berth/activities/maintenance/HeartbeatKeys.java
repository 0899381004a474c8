package dev.berth.activities.maintenance;

import dev.berth.routing.heartbeat.HeartbeatRemoval;
import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Batches;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and deletes heartbeat keys in Redis. */
final class HeartbeatKeys {
    /** Keys per call; Redis serves other clients in between. */
    private static final int PAGE = 1000;

    private final RedisCommands<String, String> redis;

    HeartbeatKeys(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * All heartbeats.
     *
     * @param users task id by user
     * @param pool task ids of idle pool workers
     */
    record All(Map<UserId, String> users, Set<String> pool) {}

    /** What a worker writes beside its heartbeat key. */
    record Details(String taskArn, long epoch) {}

    All all() {
        Map<UserId, String> users = new HashMap<>();
        Set<String> pool = new HashSet<>();
        ScanArgs pattern = ScanArgs.Builder.matches(RedisKeys.anyHeartbeat()).limit(PAGE);
        List<String> userKeys = new ArrayList<>();
        KeyScanCursor<String> page = redis.scan(ScanCursor.INITIAL, pattern);
        while (true) {
            for (String key : page.getKeys()) {
                if (RedisKeys.isPoolHeartbeat(key)) {
                    pool.add(RedisKeys.taskOfPoolHeartbeat(key));
                } else {
                    userKeys.add(key);
                }
            }
            if (page.isFinished()) {
                break;
            }
            page = redis.scan(page, pattern);
        }
        for (List<String> keys : Batches.of(userKeys, PAGE)) {
            for (KeyValue<String, String> heartbeat : redis.mget(keys.toArray(String[]::new))) {
                RedisKeys.userOfHeartbeat(heartbeat.getKey())
                        .filter(_ -> heartbeat.hasValue())
                        .ifPresent(user -> users.put(user, heartbeat.getValue()));
            }
        }
        return new All(users, pool);
    }

    /** The task id in the user's heartbeat key. */
    Optional<String> of(UserId userId) {
        return Optional.ofNullable(redis.get(RedisKeys.heartbeat(userId)));
    }

    /** Empty when the details are missing, incomplete, or of another task. */
    Optional<Details> details(UserId userId, String taskId) {
        WorkerHeartbeat heartbeat = WorkerHeartbeat.of(redis.hgetall(RedisKeys.metadata(userId)), null);
        String taskArn = heartbeat.taskArn();
        return taskArn == null || heartbeat.epoch() == 0 || !taskArn.endsWith(taskId)
                ? Optional.empty()
                : Optional.of(new Details(taskArn, heartbeat.epoch()));
    }

    /** Users by id of a claimed task, without unclaimed tasks. */
    Map<String, UserId> usersOf(List<String> taskIds) {
        Map<String, UserId> users = new HashMap<>();
        for (List<String> some : Batches.of(taskIds, PAGE)) {
            String[] keys = some.stream().map(RedisKeys::task).toArray(String[]::new);
            List<KeyValue<String, String>> values = redis.mget(keys);
            for (int i = 0; i < some.size(); i++) {
                if (values.get(i).hasValue()) {
                    users.put(some.get(i), new UserId(values.get(i).getValue()));
                }
            }
        }
        return users;
    }

    /** False when the heartbeat key is missing, or names another task. */
    boolean remove(UserId userId, String taskId) {
        return new HeartbeatRemoval(redis).removeOfTask(userId, taskId, RedisKeys.task(taskId));
    }
}
