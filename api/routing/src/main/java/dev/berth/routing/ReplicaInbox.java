package dev.berth.routing;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests to this replica: takes one after the other, answers each on its own thread. */
public final class ReplicaInbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaInbox.class);

    /** Requests that are taken and not answered. At the limit further ones stay in the list. */
    public static final int MAX_UNDER_WAY = 256;

    /** The client must wait longer for an answer, or it drops the request that comes late. */
    private static final double BLOCK_SECONDS = 1;

    private final ReplicaId replica;
    private final Map<String, RoutedHandler> handlers = new ConcurrentHashMap<>();
    private final Semaphore slots = new Semaphore(MAX_UNDER_WAY);
    private final StatefulRedisConnection<String, String> blocking;
    private final StatefulRedisConnection<String, String> answering;
    private final RequestQueue queue;
    private volatile boolean open = true;

    /**
     * Opens two connections of its own.
     *
     * @param client with a command timeout of more than {@link #BLOCK_SECONDS}, such as 10 s
     */
    public ReplicaInbox(RedisClient client, ReplicaId replica) {
        this.replica = replica;
        this.blocking = client.connect();
        this.answering = client.connect();
        this.queue = new RequestQueue(answering.sync());
    }

    /** Sets who answers requests of a kind. Call it before {@link #start}. */
    public void handler(String kind, RoutedHandler handler) {
        if (handlers.putIfAbsent(kind, handler) != null) {
            throw new IllegalStateException("a second handler of " + kind);
        }
    }

    /** Begins to take requests. */
    public void start() {
        Thread.ofVirtual().name("replica-inbox").start(this::run);
    }

    /** Requests that are taken and not answered. */
    public int underWay() {
        return MAX_UNDER_WAY - slots.availablePermits();
    }

    private void run() {
        try {
            while (open) {
                slots.acquire();
                if (!take()) {
                    slots.release();
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** False when no request came. */
    private boolean take() throws InterruptedException {
        try {
            KeyValue<String, String> element = blocking.sync().blpop(BLOCK_SECONDS, RedisKeys.REQUESTS + replica);
            if (element == null || !element.hasValue()) {
                return false;
            }
            RoutedRequest request = RequestQueue.read(element.getValue());
            Thread.ofVirtual().name("routed-request").start(() -> answer(request));
            return true;
        } catch (RedisException | IllegalArgumentException broken) {
            if (open) {
                LOG.warn("cannot take a routed request: {}", broken.getMessage());
                Thread.sleep(100);
            }
            return false;
        }
    }

    private void answer(RoutedRequest request) {
        try {
            CallResult result = handle(request);
            LOG.debug("routed request {} of kind {}: {}", request.callId(), request.kind(), result.code());
            queue.answer(request, result);
        } catch (RedisException unavailable) {
            LOG.warn(
                    "the answer to a routed request is lost, its caller reports it as unknown: {}",
                    unavailable.getMessage());
        } finally {
            slots.release();
        }
    }

    private CallResult handle(RoutedRequest request) {
        if (Instant.now().isAfter(request.expiresAt())) {
            return new CallResult.NotSent("The replica took the request after its time.");
        }
        RoutedHandler handler = handlers.get(request.kind());
        if (handler == null) {
            return new CallResult.Mismatch();
        }
        try {
            return handler.handle(request);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return new CallResult.Unknown("The replica is stopping.");
        } catch (RuntimeException failed) {
            LOG.warn("the handler of {} failed", request.kind(), failed);
            return new CallResult.Unknown("The replica failed.");
        }
    }

    /** Takes no further request. Requests in the list are withdrawn by their callers. */
    @Override
    public void close() {
        open = false;
        blocking.close();
        answering.close();
    }
}
