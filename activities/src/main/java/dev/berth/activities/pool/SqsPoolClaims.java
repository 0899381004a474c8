package dev.berth.activities.pool;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolNames;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Reserves a pool worker in Redis and sends the claim over SQS. */
public final class SqsPoolClaims implements PoolClaims {
    /**
     * Pops idle workers until one has a heartbeat and is not retired. The reservation names the
     * claim for 5 s: within that time the claim is answered or void, then the worker lists itself
     * again. Counts the claim.
     */
    private static final String RESERVE = """
            while true do
              local idle = redis.call('ZPOPMIN', KEYS[1])
              if #idle == 0 then return nil end
              if redis.call('EXISTS', ARGV[1] .. idle[1]) == 1
                  and redis.call('GET', ARGV[2] .. idle[1]) ~= ARGV[3] then
                redis.call('SET', ARGV[2] .. idle[1], ARGV[4], 'PX', 5000)
                local time = redis.call('TIME')
                redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[4])
                redis.call('PEXPIRE', KEYS[2], 60000)
                return idle[1]
              end
            end
            """;

    /** As {@link #RESERVE}, for one worker; again for the same claim. */
    private static final String RESERVE_ONE = """
            if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('EXISTS', KEYS[4], KEYS[5]) > 0 then return 0 end
            local reserved = redis.call('GET', KEYS[3])
            if reserved and reserved ~= ARGV[2] then return 0 end
            if not reserved and redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
            redis.call('SET', KEYS[3], ARGV[2], 'PX', 5000)
            local time = redis.call('TIME')
            redis.call('ZADD', KEYS[6], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
            redis.call('PEXPIRE', KEYS[6], 60000)
            return 1
            """;

    /** A cold start is faster than a slower send. */
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(SqsPoolClaims.class);

    /** Where each group's claims go: a group's users get workers of its own pool only. */
    public record Queues(Map<UserGroup, String> urls, Function<UserId, UserGroup> groups) {
        public Queues {
            urls = Map.copyOf(urls);
        }

        /** All users are in the default group. */
        static Queues of(String url) {
            return new Queues(Map.of(UserGroup.DEFAULT, url), _ -> UserGroup.DEFAULT);
        }

        private String url(UserGroup group) {
            return Objects.requireNonNull(urls.get(group));
        }
    }

    private final RedisCommands<String, String> redis;
    private final SqsClient sqs;
    private final Queues queues;
    private final VoidClaims unanswered;
    private final Duration sendTimeout;

    public SqsPoolClaims(RedisCommands<String, String> redis, SqsClient sqs, Queues queues, VoidClaims unanswered) {
        this(redis, sqs, queues, unanswered, SEND_TIMEOUT);
    }

    SqsPoolClaims(
            RedisCommands<String, String> redis,
            SqsClient sqs,
            Queues queues,
            VoidClaims unanswered,
            Duration sendTimeout) {
        this.unanswered = unanswered;
        this.redis = redis;
        this.sqs = sqs;
        this.queues = queues;
        this.sendTimeout = sendTimeout;
    }

    @Override
    public @Nullable String claim(UserId userId, long epoch) {
        UserGroup group = queues.groups().apply(userId);
        String reserved = reserve(group, RedisKeys.claim(userId, epoch));
        if (reserved != null) {
            send(group, userId, epoch, reserved);
        }
        return reserved;
    }

    @Override
    public boolean reserve(UserId userId, long epoch, String taskId) {
        Long reserved = redis.eval(
                RESERVE_ONE,
                ScriptOutputType.INTEGER,
                new String[] {
                    PoolNames.idle(queues.groups().apply(userId)),
                    RedisKeys.poolHeartbeat(taskId),
                    RedisKeys.reserved(taskId),
                    RedisKeys.bound(taskId),
                    RedisKeys.task(taskId),
                    RedisKeys.RECENT_CLAIMS
                },
                taskId,
                RedisKeys.claim(userId, epoch));
        return reserved == 1;
    }

    @Override
    public void send(UserId userId, long epoch, String taskId) {
        send(queues.groups().apply(userId), userId, epoch, taskId);
    }

    @Override
    public boolean retireUnanswered(UserId userId, long epoch, String taskId) {
        try {
            return unanswered.retire(queues.groups().apply(userId), userId, epoch, taskId);
        } catch (RedisException unavailable) {
            LOG.warn(
                    "the worker of a void claim stays in the pool, Redis is unavailable: {}", unavailable.getMessage());
            return false;
        }
    }

    private void send(UserGroup group, UserId userId, long epoch, String taskId) {
        sendOnce(queues.url(group), Json.write(new ClaimMessage(userId, epoch, taskId, Instant.now())));
    }

    /**
     * Never fails: a retry would reserve one more worker each time, while the user waits. The
     * message may have arrived in spite of the failure, so the claim stands; without an answer it
     * is void after two seconds.
     */
    private void sendOnce(String queueUrl, String body) {
        try {
            send(queueUrl, body);
        } catch (SdkException unavailable) {
            LOG.warn("a claim may be lost, SQS is not reachable: {}", unavailable.getMessage());
        }
    }

    /**
     * Sends a message to a queue that does not exist, which loads the classes for the first claim.
     */
    public void warmUp() {
        try {
            send(queues.url(UserGroup.DEFAULT) + "-warm-up", "no claim");
        } catch (SdkException refused) {
            LOG.debug("the warm-up of a claim ended with {}", refused.getMessage());
        }
    }

    private void send(String queueUrl, String body) {
        sqs.sendMessage(send -> send.queueUrl(queueUrl)
                .messageBody(body)
                .overrideConfiguration(call -> call.apiCallTimeout(sendTimeout)));
    }

    private @Nullable String reserve(UserGroup group, String claim) {
        return redis.eval(
                RESERVE,
                ScriptOutputType.VALUE,
                new String[] {PoolNames.idle(group), RedisKeys.RECENT_CLAIMS},
                RedisKeys.poolHeartbeat(""),
                RedisKeys.reserved(""),
                RedisKeys.RETIRED,
                claim);
    }
}
