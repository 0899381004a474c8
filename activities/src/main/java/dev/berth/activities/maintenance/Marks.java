package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Batches;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All marks in Redis, and what a mark left behind. */
final class Marks {
    /** Keys in one answer; Redis serves others in between. */
    private static final int PAGE = 1000;

    /** Only what still belongs to the task: a successor may have marked itself meanwhile. */
    private static final String REMOVE = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
            return 1
            """;

    private final RedisCommands<String, String> redis;

    Marks(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * All of them.
     *
     * @param users which task serves each user
     * @param pool tasks of idle pool workers
     */
    record All(Map<UserId, String> users, Set<String> pool) {}

    /** What a worker wrote beside its mark. */
    record Written(String taskArn, long epoch) {}

    All all() {
        Map<UserId, String> users = new HashMap<>();
        Set<String> pool = new HashSet<>();
        ScanArgs which = ScanArgs.Builder.matches(RedisKeys.anyMark()).limit(PAGE);
        List<String> ofUsers = new ArrayList<>();
        KeyScanCursor<String> page = redis.scan(ScanCursor.INITIAL, which);
        while (true) {
            for (String key : page.getKeys()) {
                if (RedisKeys.isPoolMark(key)) {
                    pool.add(RedisKeys.taskOfPoolMark(key));
                } else {
                    ofUsers.add(key);
                }
            }
            if (page.isFinished()) {
                break;
            }
            page = redis.scan(page, which);
        }
        for (List<String> keys : Batches.of(ofUsers, PAGE)) {
            for (KeyValue<String, String> mark : redis.mget(keys.toArray(String[]::new))) {
                RedisKeys.userOfMark(mark.getKey())
                        .filter(_ -> mark.hasValue())
                        .ifPresent(user -> users.put(user, mark.getValue()));
            }
        }
        return new All(users, pool);
    }

    /** Which task the user's mark names. */
    Optional<String> of(UserId userId) {
        return Optional.ofNullable(redis.get(RedisKeys.mark(userId)));
    }

    /** Empty when there is nothing, nothing that can be read, or what another task wrote. */
    Optional<Written> written(UserId userId, String taskId) {
        Map<String, String> hash = redis.hgetall(RedisKeys.metadata(userId));
        String taskArn = hash.get("task_arn");
        String epoch = hash.get("epoch");
        return taskArn == null || epoch == null || !taskArn.endsWith(taskId)
                ? Optional.empty()
                : Optional.of(new Written(taskArn, Long.parseLong(epoch)));
    }

    /** Who claimed each of these tasks; those that nobody claimed are left out. */
    Map<String, UserId> usersOf(List<String> taskIds) {
        Map<String, UserId> users = new HashMap<>();
        for (List<String> some : Batches.of(taskIds, PAGE)) {
            String[] keys = some.stream().map(RedisKeys::task).toArray(String[]::new);
            List<KeyValue<String, String>> answers = redis.mget(keys);
            for (int i = 0; i < some.size(); i++) {
                if (answers.get(i).hasValue()) {
                    users.put(some.get(i), new UserId(answers.get(i).getValue()));
                }
            }
        }
        return users;
    }

    /** False when the mark is gone, or names another task. */
    boolean remove(UserId userId, String taskId) {
        String[] keys = {RedisKeys.mark(userId), RedisKeys.metadata(userId), RedisKeys.task(taskId)};
        return redis.<Long>eval(REMOVE, ScriptOutputType.INTEGER, keys, taskId) == 1;
    }
}
