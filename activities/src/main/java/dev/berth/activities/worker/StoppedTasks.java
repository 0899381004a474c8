package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/**
 * Tells the gateways which tasks were stopped: foreign code that keeps a task's certificate gets no
 * further one, and no user.
 */
public record StoppedTasks(RedisCommands<String, String> redis) {
    /** Two certificates of an hour each: the last one ends before the record. */
    public static final Duration KEPT = Duration.ofHours(2);

    /**
     * Records it. Recorded already: kept anew.
     *
     * @throws io.lettuce.core.RedisException when Redis does not answer
     */
    public void record(String taskArn) {
        redis.set(RedisKeys.stoppedTask(TaskArns.id(taskArn)), "1", SetArgs.Builder.ex(KEPT));
    }
}
