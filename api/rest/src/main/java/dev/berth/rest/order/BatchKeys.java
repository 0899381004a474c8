package dev.berth.rest.order;

import dev.berth.rest.Problem;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * Which batch an idempotency key belongs to, for a day. Without that, when Redis has lost it, each
 * order of a repeated batch still counts once.
 */
@Component
class BatchKeys {
    private static final Duration KEPT = Duration.ofDays(1);
    /** With a hyphen and the number of an order it is a client order id. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,60}");

    private final RedisCommands<String, String> redis;

    BatchKeys(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** @throws Problem.Refusal when the text cannot be a key */
    static String checked(String key) {
        if (!KEY.matcher(key).matches()) {
            throw Problem.INVALID_REQUEST.because("The header Idempotency-Key is 1 to 60 characters of A-Z, a-z, 0-9,"
                    + " dot, underscore and hyphen.");
        }
        return key;
    }

    /**
     * Assigns the key to a batch.
     *
     * @param content equal for equal batches
     * @return false when it was this batch's before
     * @throws Problem.Refusal when it is another batch's
     * @throws RedisException when Redis does not answer
     */
    boolean assign(UserId userId, String key, String content) {
        String batch = RedisKeys.batch(userId, key);
        if (redis.set(batch, content, SetArgs.Builder.nx().ex(KEPT)) != null) {
            return true;
        }
        String earlier = redis.get(batch);
        if (earlier != null && !earlier.equals(content)) {
            throw Problem.IDEMPOTENCY_KEY_REUSED.because("The Idempotency-Key " + key + " was used for another batch in"
                    + " the last day. Repeat that batch as it was, or submit what is new under a new key.");
        }
        return false;
    }

    /** The key is free again. */
    void release(UserId userId, String key) {
        redis.del(RedisKeys.batch(userId, key));
    }
}
