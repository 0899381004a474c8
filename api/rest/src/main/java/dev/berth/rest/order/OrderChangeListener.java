package dev.berth.rest.order;

import dev.berth.rest.routing.HeldStreams;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.StreamEvents;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
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
 * Receives the events of users whom this replica holds, for streams and for callers that wait. A
 * caller that misses one queries the workflow.
 */
@Component
public final class OrderChangeListener extends RedisPubSubAdapter<String, String> {
    private static final Logger LOG = LoggerFactory.getLogger(OrderChangeListener.class);

    private final Map<String, Set<PendingAnswer>> pending = new ConcurrentHashMap<>();
    private final Map<UserId, Set<Subscription>> subscriptions = new ConcurrentHashMap<>();
    private final Set<Consumer<OrderState>> watchers = ConcurrentHashMap.newKeySet();
    private final HeldStreams held;
    private final StreamEvents events;
    private final Counter received;
    private final StatefulRedisPubSubConnection<String, String> connection;

    public OrderChangeListener(
            RedisClient redis, ReplicaId replica, HeldStreams held, StreamEvents events, MeterRegistry metrics) {
        this.held = held;
        this.events = events;
        this.received = Counter.builder("berth.stream.events.received")
                .description("events that were routed to this replica")
                .register(metrics);
        this.connection = redis.connectPubSub();
        connection.addListener(this);
        connection.sync().subscribe(RedisKeys.EVENTS + replica);
    }

    /** The order with the venue's answer, which its workflow may not have yet. */
    OrderState withAnswer(OrderState order) {
        return events.withAnswer(order);
    }

    /** A caller that waits for an answer. Close it after the wait. */
    final class PendingAnswer implements AutoCloseable {
        private final UserId userId;
        private final String key;
        private final CompletableFuture<OrderState> answer = new CompletableFuture<>();

        private PendingAnswer(OrderRequest order) {
            this.userId = order.userId();
            this.key = key(order);
            held.add(userId);
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
            held.remove(userId);
        }
    }

    /** Call it before the order is started, so that no answer is missed. */
    PendingAnswer expect(OrderRequest order) {
        return new PendingAnswer(order);
    }

    /** Wakes a stream on every change of a user's orders or worker. Close it when it ends. */
    public final class Subscription implements AutoCloseable {
        private final UserId userId;
        private final Semaphore wakes = new Semaphore(0);
        private volatile boolean workerChanged;

        private Subscription(UserId userId) throws InterruptedException {
            this.userId = userId;
            subscriptions.compute(userId, (_, others) -> {
                Set<Subscription> all = others == null ? ConcurrentHashMap.newKeySet() : others;
                all.add(this);
                return all;
            });
            held.addAndAwait(userId);
        }

        public void wake() {
            wakes.release();
        }

        /** Returns after a change since the last call, or after the timeout. */
        public void await(Duration timeout) throws InterruptedException {
            if (wakes.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                wakes.drainPermits();
            }
        }

        /** Whether the worker may have changed since the last call. */
        public boolean takeWorkerChange() {
            boolean changed = workerChanged;
            workerChanged = false;
            return changed;
        }

        @Override
        public void close() {
            subscriptions.computeIfPresent(userId, (_, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
            held.remove(userId);
        }
    }

    /** Read the orders after this call, so that no change is missed. */
    public Subscription subscribe(UserId userId) throws InterruptedException {
        return new Subscription(userId);
    }

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Tells of every change of every user until it is closed; the watcher must not block. */
    Watch watch(Consumer<OrderState> watcher) {
        watchers.add(watcher);
        held.addFleet();
        return () -> {
            watchers.remove(watcher);
            held.removeFleet();
        };
    }

    /** False while Redis is unreachable and no change can arrive. */
    public boolean isConnected() {
        return connection.isOpen();
    }

    @Override
    public void message(String channel, String message) {
        received.increment();
        try {
            if (message.startsWith(StreamEvents.ACCOUNT)) {
                subscribers(new UserId(message.substring(StreamEvents.ACCOUNT.length())))
                        .forEach(Subscription::wake);
                return;
            }
            if (!message.startsWith("{")) {
                changedWorker(new UserId(message));
                return;
            }
            OrderState order = Json.read(message, OrderState.class);
            subscribers(order.request().userId()).forEach(Subscription::wake);
            watchers.forEach(watcher -> watcher.accept(order));
            if (!order.status().isUnanswered()) {
                pending.getOrDefault(key(order.request()), Set.of()).forEach(caller -> caller.answer.complete(order));
            }
        } catch (IllegalArgumentException invalid) {
            LOG.warn("ignored an event that is malformed: {}", invalid.getMessage());
        }
    }

    private Set<Subscription> subscribers(UserId userId) {
        return subscriptions.getOrDefault(userId, Set.of());
    }

    private void changedWorker(UserId userId) {
        for (Subscription subscription : subscribers(userId)) {
            subscription.workerChanged = true;
            subscription.wake();
        }
    }

    private static String key(OrderRequest order) {
        return RedisKeys.orderAnswer(order.userId(), order.clientOrderId());
    }

    @PreDestroy
    void close() {
        connection.close();
    }
}
