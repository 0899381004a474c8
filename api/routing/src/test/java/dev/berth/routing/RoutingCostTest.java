package dev.berth.routing;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static dev.berth.workflows.broker.Environment.PAPER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderState;
import io.lettuce.core.RedisClient;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Prints what a hop and an event cost. */
class RoutingCostTest {
    private static final int SAMPLES = 200;
    private static final int REPLICAS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:(\\d+)");
    private static final PrintStream OUT = System.out;

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    /** A call to measure. */
    private interface Call {
        void run() throws InterruptedException;
    }

    private static double[] times(Call call) throws InterruptedException {
        double[] millis = new double[SAMPLES];
        for (int warmUp = 0; warmUp < SAMPLES / 5; warmUp++) {
            call.run();
        }
        for (int sample = 0; sample < SAMPLES; sample++) {
            long began = System.nanoTime();
            call.run();
            millis[sample] = (System.nanoTime() - began) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }

    private static void print(String what, double[] millis) {
        OUT.printf(
                Locale.ROOT,
                "%-40s %6d %8.2f %8.2f ms%n",
                what,
                millis.length,
                millis[millis.length / 2],
                millis[millis.length * 99 / 100]);
    }

    @Test
    @Tag("C3")
    @DisplayName("Without an owner the answer comes within 20 ms; a hop costs a few round trips of Redis")
    void hopIsAFewRoundTrips() throws Exception {
        RedisClient blocking = RedisClient.create(redis.uri().toString());
        ReplicaId owner = ReplicaId.create("owner");
        RouteRegistry routes = new RouteRegistry(redis.commands());
        new ReplicaRegistry(redis.commands()).renew(new ReplicaInfo(owner, 8080, 1, Instant.EPOCH, 0, 0, 0, 0));
        redis.commands().persist("ws:replica:" + owner);
        routes.register(ALICE, PAPER, owner);
        redis.commands().persist("ws:routing:alice:paper");
        RoutedHandler handler = request -> new CallResult.Answered(request.payload());
        try (RoutedCalls calls = new RoutedCalls(redis.client(), (_, _, _) -> {});
                ReplicaInbox inbox = new ReplicaInbox(blocking, owner)) {
            inbox.handler("cost", handler);
            inbox.start();
            double[] direct = times(() -> redis.commands().ping());
            double[] hop = times(() ->
                    assertThat(calls.call(ALICE, PAPER, "cost", "{}", LIMIT)).isEqualTo(new CallResult.Answered("{}")));
            double[] none = times(() ->
                    assertThat(calls.call(BOB, PAPER, "cost", "{}", LIMIT)).isEqualTo(new CallResult.Disconnected()));
            print("direct: one round trip of Redis", direct);
            print("routed call and its answer", hop);
            print("no owner: sdk_disconnected", none);
            // A busy machine delays single calls.
            assertThat(none[SAMPLES * 9 / 10]).isLessThan(20);
            assertThat(hop[SAMPLES / 2]).isLessThan(20 * Math.max(0.5, direct[SAMPLES / 2]));
        } finally {
            blocking.shutdown();
        }
    }

    private static long commands() {
        Matcher stats = COMMANDS.matcher(redis.commands().info("stats"));
        assertThat(stats.find()).isTrue();
        return Long.parseLong(stats.group(1));
    }

    private static double commandsPerEvent(StreamEvents events, OrderState order) {
        long before = commands();
        for (int sample = 0; sample < SAMPLES; sample++) {
            events.publish(order);
        }
        return (commands() - before - 1) / (double) SAMPLES;
    }

    @Test
    @Tag("C2")
    @DisplayName("What an event costs in Redis does not grow with the number of replicas")
    void eventCostIsIndependentOfReplicas() throws Exception {
        StreamRegistry registry = new StreamRegistry(redis.connection().async());
        StreamEvents events = new StreamEvents(redis.commands());
        OrderState pending = OrderState.accepted(order(ALICE, "o-1", NOON));
        double without = commandsPerEvent(events, pending);
        registry.register(RedisKeys.streams(ALICE), ReplicaId.create("owner")).get();
        double one = commandsPerEvent(events, pending);
        for (int replica = 0; replica < REPLICAS; replica++) {
            registry.register(RedisKeys.streams(BOB), ReplicaId.create("other")).get();
        }
        double others = commandsPerEvent(events, pending);
        OUT.printf(
                Locale.ROOT,
                "Redis commands per event, its script's own included: %.1f without a stream, %.1f with one,"
                        + " %.1f beside %d other replicas%n",
                without,
                one,
                others,
                REPLICAS);
        assertThat(others).isEqualTo(one);
        assertThat(one - without).isEqualTo(1);
    }
}
