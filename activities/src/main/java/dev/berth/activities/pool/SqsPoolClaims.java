package dev.berth.activities.pool;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolClaims;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Reserves a pool worker in Redis and sends the claim over SQS. */
public final class SqsPoolClaims implements PoolClaims {
    /**
     * Takes idle workers off the list until one still keeps its mark, and is not retired. The reservation is
     * remembered for 5 s with its place on the list; within them a claim is answered or void; after that the worker puts
     * itself back.
     */
    private static final String RESERVE = """
            while true do
              local idle = redis.call('ZPOPMIN', KEYS[1])
              if #idle == 0 then return nil end
              if redis.call('EXISTS', ARGV[1] .. idle[1]) == 1
                  and redis.call('GET', ARGV[2] .. idle[1]) ~= ARGV[3] then
                redis.call('SET', ARGV[2] .. idle[1], idle[2], 'PX', 5000)
                return idle[1]
              end
            end
            """;

    /** A cold start is quicker than a claim that takes longer to send. */
    private static final Duration SENT_WITHIN = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(SqsPoolClaims.class);

    private final RedisCommands<String, String> redis;
    private final SqsClient sqs;
    private final String claimQueueUrl;
    private final Duration sentWithin;

    public SqsPoolClaims(RedisCommands<String, String> redis, SqsClient sqs, String claimQueueUrl) {
        this(redis, sqs, claimQueueUrl, SENT_WITHIN);
    }

    SqsPoolClaims(RedisCommands<String, String> redis, SqsClient sqs, String claimQueueUrl, Duration sentWithin) {
        this.redis = redis;
        this.sqs = sqs;
        this.claimQueueUrl = claimQueueUrl;
        this.sentWithin = sentWithin;
    }

    @Override
    public boolean claim(UserId userId, long epoch) {
        String reserved = reserve();
        if (reserved == null) {
            return false;
        }
        sendOnce(Json.write(new ClaimMessage(userId, epoch, reserved, Instant.now())));
        return true;
    }

    /**
     * Tried again it would reserve the next worker, and the one after that, while the user waits. The message may have
     * got there all the same, so the claim stands: unanswered it is void after two seconds, like one that was lost.
     */
    private void sendOnce(String body) {
        try {
            send(claimQueueUrl, body);
        } catch (SdkException away) {
            LOG.warn("a claim may be lost, SQS does not answer: {}", away.getMessage());
        }
    }

    /** Sends a message to a queue that is not there, so that the first user does not wait for what sending needs. */
    public void rehearse() {
        try {
            send(claimQueueUrl + "-rehearsal", "nobody");
        } catch (SdkException refused) {
            LOG.debug("the rehearsal of a claim ended with {}", refused.getMessage());
        }
    }

    private void send(String queueUrl, String body) {
        sqs.sendMessage(send -> send.queueUrl(queueUrl)
                .messageBody(body)
                .overrideConfiguration(call -> call.apiCallTimeout(sentWithin)));
    }

    private @Nullable String reserve() {
        return redis.eval(
                RESERVE,
                ScriptOutputType.VALUE,
                new String[] {RedisKeys.POOL_IDLE},
                RedisKeys.poolMark(""),
                RedisKeys.reserved(""),
                RedisKeys.RETIRED);
    }
}
