package dev.berth.routing;

import dev.berth.routing.RequestQueue.Reply;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the replica that holds a user's connection, and no other. An answer waits in a list of its
 * own; a notice only wakes the caller, so that a lost one costs a second.
 */
public final class RoutedCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoutedCalls.class);

    /** The longest that a call waits. */
    public static final Duration MAX_LIMIT = Duration.ofSeconds(30);
    /** The longest payload of a request, as UTF-8. */
    public static final int MAX_PAYLOAD_BYTES = 64 * 1024;

    /** A notice may be lost. */
    private static final Duration POLL = Duration.ofSeconds(1);

    /** Hears how each call ended. */
    public interface CallListener {
        void ended(String kind, CallResult result, Duration time);
    }

    private final String callerId = UUID.randomUUID().toString();
    private final Map<String, Semaphore> waiting = new ConcurrentHashMap<>();
    private final StatefulRedisConnection<String, String> redis;
    private final StatefulRedisPubSubConnection<String, String> notices;
    private final RequestQueue queue;
    private final CallListener listener;

    /** Opens two connections of its own. */
    public RoutedCalls(RedisClient client, CallListener listener) {
        this.redis = client.connect();
        this.queue = new RequestQueue(redis.sync());
        this.listener = listener;
        this.notices = client.connectPubSub();
        notices.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                if (channel.equals(RedisKeys.REPLICA_GONE)) {
                    waiting.values().forEach(Semaphore::release);
                } else {
                    waiting.getOrDefault(message, new Semaphore(0)).release();
                }
            }
        });
        notices.sync().subscribe(RedisKeys.answersFor(callerId), RedisKeys.REPLICA_GONE);
    }

    /**
     * Sends a request to the replica that holds the user's connection, and waits for its answer.
     *
     * @param payload JSON, at most {@link #MAX_PAYLOAD_BYTES}; a longer one is not sent
     * @param limit how long to wait, at most {@link #MAX_LIMIT}
     */
    public CallResult call(UserId userId, Environment environment, String kind, String payload, Duration limit)
            throws InterruptedException {
        long began = System.nanoTime();
        CallResult result = send(userId, environment, kind, payload, limit);
        if (!(result instanceof CallResult.Answered)) {
            LOG.info("call of kind {} for {}: {}", kind, userId, result.code());
        }
        listener.ended(kind, result, Duration.ofNanos(System.nanoTime() - began));
        return result;
    }

    private CallResult send(UserId userId, Environment environment, String kind, String payload, Duration limit)
            throws InterruptedException {
        if (limit.compareTo(MAX_LIMIT) > 0) {
            throw new IllegalArgumentException("a routed call waits at most " + MAX_LIMIT);
        }
        if (payload.getBytes(StandardCharsets.UTF_8).length > MAX_PAYLOAD_BYTES) {
            return new CallResult.NotSent("The request is longer than " + MAX_PAYLOAD_BYTES + " bytes.");
        }
        if (!redis.isOpen()) {
            return new CallResult.NotSent("Redis is not reachable.");
        }
        RoutedRequest request = new RoutedRequest(
                UUID.randomUUID().toString(),
                userId,
                environment,
                0,
                kind,
                payload,
                callerId,
                Instant.now().plus(limit));
        Semaphore wake = new Semaphore(0);
        waiting.put(request.callId(), wake);
        try {
            Reply pushed = queue.push(request);
            return switch (pushed.state()) {
                case SENT -> {
                    LOG.debug("call {} of kind {} is routed to {}", request.callId(), kind, pushed.replica());
                    yield await(request, pushed.replica(), wake, limit);
                }
                case FULL -> new CallResult.NotSent("The replica's queue is full.");
                default -> new CallResult.Disconnected();
            };
        } catch (RedisException unavailable) {
            return settle(request, "Redis did not answer in time.");
        } finally {
            waiting.remove(request.callId());
        }
    }

    private CallResult await(RoutedRequest request, ReplicaId replica, Semaphore wake, Duration limit)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return settle(request, "The replica did not answer within " + limit + ".");
            }
            if (wake.tryAcquire(Math.min(left, POLL.toNanos()), TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
            try {
                Reply reply = queue.poll(request.callId(), replica);
                switch (reply.state()) {
                    case ANSWERED -> {
                        return reply.result();
                    }
                    case GONE -> {
                        return settle(request, "The replica that held the connection is gone.");
                    }
                    default -> {}
                }
            } catch (RedisException unavailable) {
                LOG.debug("a routed call waits for Redis: {}", unavailable.getMessage());
            }
        }
    }

    /** Withdraws a request that no replica has taken. */
    private CallResult settle(RoutedRequest request, String reason) {
        try {
            Reply reply = queue.settle(request);
            return switch (reply.state()) {
                case ANSWERED -> reply.result();
                case WITHDRAWN -> new CallResult.NotSent(reason);
                default -> new CallResult.Unknown(reason);
            };
        } catch (RedisException unavailable) {
            return new CallResult.Unknown(reason);
        }
    }

    @Override
    public void close() {
        notices.close();
        redis.close();
    }
}
