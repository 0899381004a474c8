package dev.berth.api.order;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Subscribes to order changes in Redis for callers that wait. A caller that misses one queries the
 * workflow.
 */
@Component
class OrderChangeListener extends RedisPubSubAdapter<String, String> {
    private static final Logger LOG = LoggerFactory.getLogger(OrderChangeListener.class);
    /** An answer is needed until the workflow has it too, a moment later. */
    private static final int MAX_ANSWERS = 10_000;

    private static final String ALL_USERS = "order-events:*";

    private final Map<String, Set<PendingAnswer>> pending = new ConcurrentHashMap<>();
    private final Map<String, Set<Subscription>> subscriptions = new ConcurrentHashMap<>();
    private final Set<Consumer<OrderState>> watchers = ConcurrentHashMap.newKeySet();
    private final Map<String, OrderState> answers = Collections.synchronizedMap(new BoundedMap<>(MAX_ANSWERS));
    private final StatefulRedisPubSubConnection<String, String> connection;

    OrderChangeListener(RedisClient redis) {
        this.connection = redis.connectPubSub();
        connection.addListener(this);
        connection.sync().psubscribe(ALL_USERS);
    }

    /** The order with the venue's answer, which its workflow may not have yet. */
    OrderState withAnswer(OrderState order) {
        return order.status().isUnanswered()
                ? answers.getOrDefault(key(order.request()), order).to(order)
                : order;
    }

    /** A caller that waits for an answer. Close it after the wait. */
    final class PendingAnswer implements AutoCloseable {
        private final String key;
        private final CompletableFuture<OrderState> answer = new CompletableFuture<>();

        private PendingAnswer(String key) {
            this.key = key;
            pending.compute(key, (_, others) -> {
                Set<PendingAnswer> all = others == null ? ConcurrentHashMap.newKeySet() : others;
                all.add(this);
                return all;
            });
        }

        /** The answered order; empty after the timeout. */
        Optional<OrderState> await(Duration timeout) throws InterruptedException {
            try {
                return Optional.of(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException late) {
                return Optional.empty();
            } catch (ExecutionException never) {
                throw new IllegalStateException(never);
            }
        }

        @Override
        public void close() {
            pending.computeIfPresent(key, (_, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
        }
    }

    /** Call it before the order is started, so that no answer is missed. */
    PendingAnswer expect(OrderRequest order) {
        return new PendingAnswer(key(order));
    }

    /** Wakes a stream on every change of a user's orders. Close it when the stream ends. */
    final class Subscription implements AutoCloseable {
        private final String channel;
        private final Semaphore wakes = new Semaphore(0);

        private Subscription(String channel) {
            this.channel = channel;
            subscriptions.compute(channel, (_, others) -> {
                Set<Subscription> all = others == null ? ConcurrentHashMap.newKeySet() : others;
                all.add(this);
                return all;
            });
        }

        void wake() {
            wakes.release();
        }

        /** Returns after a change since the last call, or after the timeout. */
        void await(Duration timeout) throws InterruptedException {
            if (wakes.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                wakes.drainPermits();
            }
        }

        @Override
        public void close() {
            subscriptions.computeIfPresent(channel, (_, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
        }
    }

    /** Read the orders after this call, so that no change is missed. */
    Subscription subscribe(UserId userId) {
        return new Subscription(RedisKeys.orderEvents(userId));
    }

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Tells of every change of every user until it is closed; the watcher must not block. */
    Watch watch(Consumer<OrderState> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /** False while Redis is unreachable and no change can arrive. */
    boolean isConnected() {
        return connection.isOpen();
    }

    @Override
    public void message(String pattern, String channel, String message) {
        subscriptions.getOrDefault(channel, Set.of()).forEach(Subscription::wake);
        try {
            OrderState order = Json.read(message, OrderState.class);
            watchers.forEach(watcher -> watcher.accept(order));
            if (!order.status().isUnanswered()) {
                remember(order);
                pending.getOrDefault(key(order.request()), Set.of()).forEach(caller -> caller.answer.complete(order));
            }
        } catch (IllegalArgumentException invalid) {
            LOG.warn("ignored a message that is not an order: {}", invalid.getMessage());
        }
    }

    /**
     * FAILED is not an answer of the venue: the workflow knows it, and a requeue may continue the
     * order.
     */
    private void remember(OrderState order) {
        if (order.status() != OrderStatus.FAILED) {
            answers.put(key(order.request()), order);
        }
    }

    private static String key(OrderRequest order) {
        return RedisKeys.orderEvents(order.userId()) + ":" + order.clientOrderId();
    }

    @PreDestroy
    void close() {
        connection.close();
    }
}
