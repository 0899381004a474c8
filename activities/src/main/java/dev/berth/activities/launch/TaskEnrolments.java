package dev.berth.activities.launch;

import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolNames;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Gives each launch a secret by which its one task enrols at the worker gateway, once and within a
 * window. Redis gets the secret's hash only.
 */
public final class TaskEnrolments {
    /** As long as a lifecycle waits for its process, on the hosts that there are. */
    public static final Duration WINDOW = Duration.ofSeconds(90);

    /** As long as it waits while the cluster grows by a host. */
    public static final Duration WINDOW_WITH_SCALE_OUT = WINDOW.plusMinutes(10);

    /** A retried launch names the same task: once it has enrolled it must not do so again. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private static final String RECORD = """
            local now = redis.call('TIME')
            local deadline = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[2])
            redis.call('HSETNX', KEYS[1], ARGV[4], ARGV[1] .. ' ' .. deadline)
            return redis.call('EXPIRE', KEYS[1], ARGV[3])
            """;

    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final RedisCommands<String, String> redis;
    private final SecretKeySpec key;
    private final Duration window;

    /**
     * Takes the key as it is.
     *
     * @param key 32 random bytes that no worker and no gateway has
     * @param window from the launch to the enrolment
     * @throws IllegalArgumentException when it has another size
     */
    public TaskEnrolments(RedisCommands<String, String> redis, byte[] key, Duration window) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of enrolments has " + key.length + " bytes, not " + KEY_BYTES + ".");
        }
        this.redis = redis;
        this.window = window;
        this.key = new SecretKeySpec(key, HMAC);
    }

    /**
     * The same secret for the same client token: a token that comes again with another request is a
     * conflict.
     */
    LaunchRequest withSecret(LaunchRequest request) {
        return request.withSecret(secret(request.clientToken()));
    }

    /**
     * Lets this task enrol.
     *
     * @param claim whom it serves: {@link RedisKeys#claim} or {@link PoolNames#user}
     */
    void record(String clientToken, String taskArn, String claim) {
        redis.eval(
                RECORD,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.enrolment(Hashes.sha256(secret(clientToken)))},
                claim,
                Long.toString(window.toMillis()),
                Long.toString(REMEMBERED.toSeconds()),
                taskArn);
    }

    String secret(String clientToken) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(clientToken.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
