package dev.berth.routing;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StreamEventsTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final StreamRegistry registry =
            new StreamRegistry(redis.connection().async());
    private final StreamEvents events = new StreamEvents(redis.commands());
    private final OrderState pending = OrderState.accepted(order(ALICE, "o-1", NOON));
    private final ReplicaId one = ReplicaId.create("one");
    private final ReplicaId two = ReplicaId.create("two");
    private final ReplicaId idle = ReplicaId.create("idle");

    @Test
    @Tag("C1")
    @DisplayName("A replica's entry for a user's streams ends 30 s after its last refresh")
    void entryEndsWithoutRefresh() throws Exception {
        registry.register(RedisKeys.streams(ALICE), one).get();
        assertThat(redis.commands().pttl("ws:streams:alice")).isBetween(29_000L, 30_000L);
        assertThat(events.publish(pending)).isOne();
        redis.commands().zadd("ws:streams:alice", 1, one.value());
        assertThat(events.publish(pending)).isZero();
    }

    @Test
    @Tag("C2")
    @DisplayName("An event reaches every replica with a stream of its user or of the fleet once, and no other")
    void eventReachesHoldersOnly() throws Exception {
        Map<String, Integer> received = new ConcurrentHashMap<>();
        try (var listening = redis.client().connectPubSub()) {
            listening.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    received.merge(channel, 1, Integer::sum);
                }
            });
            listening.sync().subscribe("ws:events:" + one, "ws:events:" + two, "ws:events:" + idle);
            registry.register(RedisKeys.streams(ALICE), one).get();
            registry.register(RedisKeys.streams(ALICE), two).get();
            registry.register(RedisKeys.streams(BOB), idle).get();
            registry.register(RedisKeys.FLEET_STREAMS, one).get();
            assertThat(events.publish(pending)).isEqualTo(2);
            registry.remove(RedisKeys.streams(ALICE), two).get();
            assertThat(events.publish(pending)).isOne();
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(received).isEqualTo(Map.of("ws:events:" + one, 2, "ws:events:" + two, 1)));
        }
    }

    @Test
    @Tag("C2")
    @DisplayName("Without a stream of its user an event is sent to no replica")
    void eventWithoutStreamIsNotSent() {
        assertThat(events.publish(pending)).isZero();
        events.publishWorker(ALICE);
        assertThat(redis.commands().keys("*")).isEmpty();
    }

    @Test
    @DisplayName("Every replica shows the venue's answer before the order's workflow has it")
    void answerIsReadByEveryReplica() {
        OrderState rejected =
                pending.became(OrderStatus.REJECTED, FailureCode.NOT_TAKEN.because("as the test wants"), NOON);
        assertThat(events.withAnswer(pending)).isEqualTo(pending);
        redis.commands().set("worker:epoch:alice", "7");
        assertThat(events.publishAnswer(rejected, 6))
                .as("of a superseded worker")
                .isFalse();
        assertThat(events.withAnswer(pending)).isEqualTo(pending);
        assertThat(events.publishAnswer(rejected, 7)).isTrue();
        assertThat(new StreamEvents(redis.commands()).withAnswer(pending)).isEqualTo(rejected.to(pending));
        assertThat(redis.commands().pttl("order:answer:alice:o-1")).isBetween(9_000L, 10_000L);
        assertThat(Json.read(redis.commands().get("order:answer:alice:o-1"), OrderState.class))
                .isEqualTo(rejected);
        assertThat(new StreamEvents(redis.unavailable()).withAnswer(pending)).isEqualTo(pending);
    }

    @Test
    @Tag("D7")
    @DisplayName("A failure is not kept as an answer, as a requeue may continue the order")
    void failureIsNotKept() {
        events.publishAnswer(
                pending.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), NOON), 7);
        assertThat(events.withAnswer(pending)).isEqualTo(pending);
    }
}
