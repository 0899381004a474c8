package dev.berth.api.order;

import dev.berth.workflows.Json;
import dev.berth.workflows.Latest;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Listens on Redis for those who wait for an order's answer. Who misses it asks the workflow instead. */
@Component
class OrderNews extends RedisPubSubAdapter<String, String> {
    private static final Logger LOG = LoggerFactory.getLogger(OrderNews.class);
    /** An answer is needed for the moment until the order's workflow has it too. */
    private static final int ANSWERS_KEPT = 10_000;

    private static final String EVERY_USER = "order-events:*";

    private final Map<String, Set<Waiting>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Set<Bell>> bells = new ConcurrentHashMap<>();
    private final Map<String, OrderState> answers = Collections.synchronizedMap(new Latest<>(ANSWERS_KEPT));
    private final StatefulRedisPubSubConnection<String, String> connection;

    OrderNews(RedisClient redis) {
        this.connection = redis.connectPubSub();
        connection.addListener(this);
        connection.sync().psubscribe(EVERY_USER);
    }

    /** The order as the venue answered, if its workflow does not know that yet. */
    OrderState orAnswered(OrderState order) {
        return order.status().isUnanswered()
                ? answers.getOrDefault(key(order.request()), order).to(order)
                : order;
    }

    /** Somebody who waits; close it when the wait is over. */
    final class Waiting implements AutoCloseable {
        private final String key;
        private final CompletableFuture<OrderState> answer = new CompletableFuture<>();

        private Waiting(String key) {
            this.key = key;
            waiting.compute(key, (_, others) -> {
                Set<Waiting> all = others == null ? ConcurrentHashMap.newKeySet() : others;
                all.add(this);
                return all;
            });
        }

        /** The order once it has an answer; empty when none came in time. */
        Optional<OrderState> await(Duration patience) throws InterruptedException {
            try {
                return Optional.of(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException late) {
                return Optional.empty();
            } catch (ExecutionException never) {
                throw new IllegalStateException(never);
            }
        }

        @Override
        public void close() {
            waiting.computeIfPresent(key, (_, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
        }
    }

    /** Begins to listen for an order; call it before the order is started, so that nothing is missed. */
    Waiting expect(OrderRequest order) {
        return new Waiting(key(order));
    }

    /** Rings whenever there are news of any order of one user; close it when nobody listens any more. */
    final class Bell implements AutoCloseable {
        private final String channel;
        private final Semaphore rung = new Semaphore(0);

        private Bell(String channel) {
            this.channel = channel;
            bells.compute(channel, (_, others) -> {
                Set<Bell> all = others == null ? ConcurrentHashMap.newKeySet() : others;
                all.add(this);
                return all;
            });
        }

        void ring() {
            rung.release();
        }

        /** Returns when it has rung since the last time, or after so long. */
        void await(Duration patience) throws InterruptedException {
            if (rung.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                rung.drainPermits();
            }
        }

        @Override
        public void close() {
            bells.computeIfPresent(channel, (_, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
        }
    }

    /** Begins to listen; look after that, so that nothing is missed. */
    Bell bell(UserId userId) {
        return new Bell(RedisKeys.orderEvents(userId));
    }

    /** Whether news can come: no bell rings while Redis is away. */
    boolean isListening() {
        return connection.isOpen();
    }

    @Override
    public void message(String pattern, String channel, String message) {
        bells.getOrDefault(channel, Set.of()).forEach(Bell::ring);
        try {
            OrderState order = Json.read(message, OrderState.class);
            if (!order.status().isUnanswered()) {
                remember(order);
                waiting.getOrDefault(key(order.request()), Set.of()).forEach(one -> one.answer.complete(order));
            }
        } catch (IllegalArgumentException foreign) {
            LOG.warn("passed over a message that is no order: {}", foreign.getMessage());
        }
    }

    /** A failure is no answer of the venue: its workflow told of it, and a requeue may lead out of it. */
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
