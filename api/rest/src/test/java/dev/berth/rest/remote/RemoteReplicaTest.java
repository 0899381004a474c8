package dev.berth.rest.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.routing.CallResult;
import dev.berth.routing.RoutedCalls;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteMethod;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.catalina.LifecycleException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Replicas, a real Redis between them, and customers with the Java SDK. */
@Tag("X20")
class RemoteReplicaTest {
    @RegisterExtension
    static final TestRedis REDIS = new TestRedis();

    @TempDir
    private Path folder;

    private final RoutedCalls routed = new RoutedCalls(REDIS.client(), (_, _, _) -> {});
    private final List<RemoteCustomer> customers = new ArrayList<>();
    private final List<RemoteReplica> started = new ArrayList<>();

    @AfterEach
    void close() throws LifecycleException {
        customers.forEach(RemoteCustomer::close);
        for (RemoteReplica replica : started) {
            replica.close();
        }
        routed.close();
    }

    private URI startReplica() throws Exception {
        RemoteReplica replica = RemoteReplica.start(REDIS.client());
        started.add(replica);
        return replica.address();
    }

    private RemoteCustomer customer(String user, List<URI> replicas) {
        RemoteCustomer customer = new RemoteCustomer(user, replicas, folder, routed);
        customers.add(customer);
        REDIS.commands().set(RedisKeys.epoch(customer.userId()), Long.toString(RemoteCustomer.EPOCH));
        return customer;
    }

    private static void awaitConnected(RemoteCustomer customer) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> customer.call(
                                RemoteMethod.FIND,
                                "none",
                                RemoteCustomer.EPOCH,
                                Instant.now().plusSeconds(10))
                        instanceof CallResult.Answered);
    }

    private static String outcome(CallResult result) {
        if (result instanceof CallResult.Answered(var text)) {
            RemoteAnswer answer = Json.read(text, RemoteAnswer.class);
            return answer.outcome() + (answer.cause() == null ? "" : " " + answer.cause());
        }
        return result.code();
    }

    @Test
    @DisplayName("A replica writes a call only for the current worker and connection, before the deadline")
    void replicaChecksBeforeItWrites() throws Exception {
        RemoteCustomer unavailable = customer("away", List.of(URI.create("http://127.0.0.1:1")));
        unavailable.send("warm-up");
        // The quickest of several: one that waits does so each time.
        Awaitility.await().until(() -> {
            long began = System.nanoTime();
            assertThat(unavailable.send("o-1")).isInstanceOf(CallResult.Disconnected.class);
            return Duration.ofNanos(System.nanoTime() - began).compareTo(Duration.ofMillis(500)) < 0;
        });
        RemoteCustomer alice = customer("alice", List.of(startReplica()));
        awaitConnected(alice);
        Instant later = Instant.now().plusSeconds(10);
        assertThat(outcome(alice.call(RemoteMethod.SEND, "o-1", RemoteCustomer.EPOCH, later)))
                .isEqualTo("REPORT");
        Instant soon = Instant.now().plusSeconds(5);
        assertThat(outcome(alice.call(RemoteMethod.SEND, "o-2", RemoteCustomer.EPOCH, Instant.now())))
                .isEqualTo("NOT_SENT deadline");
        assertThat(outcome(alice.call(RemoteMethod.SEND, "o-2", 0, soon))).isEqualTo("NOT_SENT epoch");
        REDIS.commands().del(RedisKeys.epoch(alice.userId()));
        assertThat(outcome(alice.send("o-2"))).isEqualTo("NOT_SENT epoch");
        REDIS.commands().incr(RedisKeys.connectionEpoch(alice.userId(), Environment.PAPER));
        assertThat(alice.send("o-2")).isInstanceOf(CallResult.Mismatch.class);
        assertThat(alice.broker.executions("o-1")).isOne();
        assertThat(alice.broker.executions("o-2")).isZero();
    }

    @Test
    @DisplayName("A machine's program that is interrupted ends, and no call is routed to it")
    void interruptedMachineLeaves() throws Exception {
        RemoteCustomer alice = customer("interrupted", List.of(startReplica()));
        awaitConnected(alice);
        assertThat(alice.interrupt(Duration.ofSeconds(10))).isTrue();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(alice.send("o-1")).isInstanceOf(CallResult.Disconnected.class));
    }

    /** How calls ended. */
    private enum Ending {
        EXECUTED,
        NOT_SENT,
        UNKNOWN_EXECUTED,
        UNKNOWN_ABSENT
    }

    @Test
    @DisplayName("While replicas are killed, no call is executed twice, and none is lost silently")
    void killedReplicasRepeatNothing() throws Exception {
        callWhileKilled(2, Duration.ofSeconds(2), 4, 5, Duration.ofMillis(400));
    }

    @Test
    @Tag("long")
    @DisplayName("The same with 3 replicas, one killed every 20 s, 30 customers and 3,000 calls")
    void killedReplicasRepeatNoneOfManyCalls() throws Exception {
        callWhileKilled(3, Duration.ofSeconds(20), 30, 100, Duration.ofMillis(5_500));
    }

    private void callWhileKilled(int replicaCount, Duration killEvery, int customerCount, int calls, Duration pace)
            throws Exception {
        List<ReplicaProcess> replicas = IntStream.range(0, replicaCount)
                .mapToObj(_ -> new ReplicaProcess(REDIS.uri(), folder))
                .toList();
        List<URI> addresses = replicas.stream().map(ReplicaProcess::address).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<Ending, Integer>>> working = new ArrayList<>();
            for (int number = 0; number < customerCount; number++) {
                RemoteCustomer customer = customer("customer-" + number, addresses);
                awaitConnected(customer);
                working.add(threads.submit(() -> work(customer, calls, pace)));
            }
            int killed = 0;
            while (!working.stream().allMatch(Future::isDone)) {
                Thread.sleep(killEvery);
                replicas.get(killed++ % replicas.size()).killAndRestart();
            }
            Map<Ending, Integer> total = new EnumMap<>(Ending.class);
            for (Future<Map<Ending, Integer>> worked : working) {
                worked.get().forEach((ending, count) -> total.merge(ending, count, Integer::sum));
            }
            System.out.printf(Locale.ROOT, "%d calls, %d kills: %s%n", customerCount * calls, killed, total);
            assertThat(total.values().stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(customerCount * calls);
            assertThat(total.get(Ending.EXECUTED)).isPositive();
        } finally {
            replicas.forEach(ReplicaProcess::close);
        }
    }

    /** Every call ends in one way, which the machine's own count confirms. */
    private static Map<Ending, Integer> work(RemoteCustomer customer, int calls, Duration pace)
            throws InterruptedException {
        Map<Ending, Integer> endings = new EnumMap<>(Ending.class);
        Map<String, Boolean> executed = new HashMap<>();
        for (int number = 0; number < calls; number++) {
            String order = customer.userId() + "-" + number;
            Ending ending = ending(customer, order);
            endings.merge(ending, 1, Integer::sum);
            executed.put(order, ending == Ending.EXECUTED || ending == Ending.UNKNOWN_EXECUTED);
            Thread.sleep(ThreadLocalRandom.current().nextLong(pace.toMillis() * 2));
        }
        executed.forEach((order, once) ->
                assertThat(customer.broker.executions(order)).as(order).isEqualTo(once ? 1 : 0));
        return endings;
    }

    private static Ending ending(RemoteCustomer customer, String order) throws InterruptedException {
        CallResult result = customer.send(order);
        String outcome = outcome(result);
        if (outcome.equals("REPORT")) {
            return Ending.EXECUTED;
        }
        if (result instanceof CallResult.Unknown || outcome.equals("UNKNOWN")) {
            return customer.resolve(order) ? Ending.UNKNOWN_EXECUTED : Ending.UNKNOWN_ABSENT;
        }
        return Ending.NOT_SENT;
    }
}
