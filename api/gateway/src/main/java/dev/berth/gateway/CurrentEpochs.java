package dev.berth.gateway;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletionStage;

/**
 * Whether a worker is still the newest of its user. While Redis is unavailable, or has lost the
 * epoch, it counts as the newest: workers go on without Redis as long as their lease lasts.
 */
record CurrentEpochs(RedisAsyncCommands<String, String> redis) {
    /** Never fails. A pool worker without a user is never superseded. */
    CompletionStage<Boolean> isSuperseded(Assignment assignment) {
        return redis.get(RedisKeys.epoch(assignment.userId()))
                .thenApply(epoch -> epoch != null && Long.parseLong(epoch) > assignment.epoch())
                .exceptionally(_ -> false);
    }
}
