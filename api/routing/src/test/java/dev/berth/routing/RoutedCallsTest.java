package dev.berth.routing;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.workflows.broker.Environment.PAPER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RoutedCallsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final RedisClient blocking = RedisClient.create(redis.uri().toString());
    private final RouteRegistry routes = new RouteRegistry(redis.commands());
    private final ReplicaRegistry registry = new ReplicaRegistry(redis.commands());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final RoutedCalls calls = open(new RoutedCalls(redis.client(), (_, _, _) -> {}));
    private final ReplicaId owner = ReplicaId.create("owner");

    private <T extends AutoCloseable> T open(T part) {
        opened.add(part);
        return part;
    }

    @BeforeEach
    void live() {
        blocking.setOptions(ClientOptions.create());
        enter(owner);
        routes.register(ALICE, PAPER, owner);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable part : opened) {
            part.close();
        }
        blocking.shutdown();
    }

    private void enter(ReplicaId replica) {
        registry.renew(new ReplicaInfo(replica, 8080, 1, Instant.EPOCH, 0, 0, 0, 0));
    }

    private ReplicaInbox inbox(ReplicaId replica, RoutedHandler handler) {
        ReplicaInbox inbox = open(new ReplicaInbox(blocking, replica));
        inbox.handler("test", handler);
        inbox.start();
        return inbox;
    }

    private CallResult call(Duration limit) throws InterruptedException {
        return calls.call(ALICE, PAPER, "test", "{}", limit);
    }

    private CompletableFuture<CallResult> callLater() {
        CompletableFuture<CallResult> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(call(LIMIT));
            } catch (InterruptedException | RuntimeException broken) {
                result.completeExceptionally(broken);
            }
        });
        return result;
    }

    private void awaitQueued(int requests) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> redis.commands().llen("ws:rpc:" + owner) == requests);
    }

    private static CallResult done(CompletableFuture<CallResult> result) throws Exception {
        return result.get(5, TimeUnit.SECONDS);
    }

    @Test
    @Tag("C2")
    @Tag("C5")
    @DisplayName("Calls reach the replica that holds the connection, and each gets its own answer")
    void answersAreMatchedById() throws Exception {
        List<String> others = new CopyOnWriteArrayList<>();
        ReplicaId other = ReplicaId.create("other");
        enter(other);
        inbox(other, request -> {
            others.add(request.callId());
            return new CallResult.Answered("wrong");
        });
        inbox(owner, request -> new CallResult.Answered("echo " + request.payload() + " " + request.userId()));
        List<CompletableFuture<CallResult>> results = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            String payload = Integer.toString(number);
            CompletableFuture<CallResult> result = new CompletableFuture<>();
            results.add(result);
            Thread.ofVirtual().start(() -> {
                try {
                    result.complete(calls.call(ALICE, PAPER, "test", payload, LIMIT));
                } catch (InterruptedException | RuntimeException broken) {
                    result.completeExceptionally(broken);
                }
            });
        }
        for (int number = 0; number < results.size(); number++) {
            assertThat(done(results.get(number))).isEqualTo(new CallResult.Answered("echo " + number + " alice"));
        }
        assertThat(others).isEmpty();
    }

    @Test
    @Tag("C3")
    @DisplayName("Without an owner the answer is sdk_disconnected at once")
    void noOwnerIsDisconnectedAtOnce() throws Exception {
        calls.call(BOB, PAPER, "test", "{}", LIMIT);
        long began = System.nanoTime();
        CallResult result = calls.call(BOB, PAPER, "test", "{}", LIMIT);
        assertThat(result).isEqualTo(new CallResult.Disconnected());
        assertThat(result.code()).isEqualTo("sdk_disconnected");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(500));
    }

    @Test
    @Tag("C4")
    @DisplayName("A stale route is a routing_mismatch, and the repeat reaches the new owner")
    void staleRouteIsMismatchAndRepeats() throws Exception {
        inbox(owner, _ -> new CallResult.Mismatch());
        CallResult stale = call(LIMIT);
        assertThat(stale).isEqualTo(new CallResult.Mismatch());
        assertThat(stale.code()).isEqualTo("routing_mismatch");
        ReplicaId next = ReplicaId.create("next");
        enter(next);
        Route route = routes.register(ALICE, PAPER, next);
        inbox(next, request -> new CallResult.Answered(Long.toString(request.connectionEpoch())));
        assertThat(call(LIMIT)).isEqualTo(new CallResult.Answered(Long.toString(route.connectionEpoch())));
    }

    @Test
    @Tag("C5")
    @DisplayName("A request that waits in the list is taken when the replica listens again")
    void queuedRequestIsTakenLater() throws Exception {
        CompletableFuture<CallResult> result = callLater();
        awaitQueued(1);
        inbox(owner, _ -> new CallResult.Answered("late"));
        assertThat(done(result)).isEqualTo(new CallResult.Answered("late"));
    }

    @Test
    @Tag("C5")
    @DisplayName("A dead replica's listed request is withdrawn and not sent, before the route ends")
    void listedRequestOfDeadReplicaIsNotSent() throws Exception {
        CompletableFuture<CallResult> result = callLater();
        awaitQueued(1);
        registry.remove(owner);
        assertThat(done(result)).isInstanceOf(CallResult.NotSent.class);
        assertThat(redis.commands().exists("ws:rpc:" + owner)).isZero();
        assertThat(call(LIMIT)).isEqualTo(new CallResult.Disconnected());
    }

    @Test
    @Tag("C5")
    @DisplayName("A request that a dead replica took is unknown, before the time-out")
    void takenRequestOfDeadReplicaIsUnknown() throws Exception {
        CompletableFuture<CallResult> result = callLater();
        awaitQueued(1);
        redis.commands().lpop("ws:rpc:" + owner);
        registry.remove(owner);
        assertThat(done(result)).isInstanceOf(CallResult.Unknown.class);
    }

    @Test
    @Tag("C5")
    @DisplayName("At its limit a waiting request is withdrawn, and a taken one is unknown")
    void limitEndsCall() throws Exception {
        assertThat(call(Duration.ofMillis(50))).isInstanceOf(CallResult.NotSent.class);
        CountDownLatch end = new CountDownLatch(1);
        inbox(owner, _ -> {
            end.await();
            return new CallResult.Answered("late");
        });
        assertThat(call(Duration.ofSeconds(2))).isInstanceOf(CallResult.Unknown.class);
        end.countDown();
    }

    @Test
    @Tag("C5")
    @DisplayName("An answer whose notice is lost is read from its list")
    void answerWithoutNoticeArrives() throws Exception {
        CompletableFuture<CallResult> result = callLater();
        awaitQueued(1);
        RoutedRequest request = RequestQueue.read(redis.commands().lpop("ws:rpc:" + owner));
        redis.commands().rpush("ws:answer:" + request.callId(), "{\"result\":\"answered\",\"payload\":\"1\"}");
        assertThat(done(result)).isEqualTo(new CallResult.Answered("1"));
    }

    @Test
    @Tag("C5")
    @DisplayName("A call that Lettuce sends twice reaches the replica once")
    void repeatedPushIsOnce() {
        RoutedRequest request = new RoutedRequest("c-1", ALICE, PAPER, 0, "test", "{}", "caller", Instant.MAX);
        RequestQueue queue = new RequestQueue(redis.commands());
        assertThat(queue.push(request)).isEqualTo(queue.push(request));
        assertThat(redis.commands().llen("ws:rpc:" + owner)).isOne();
        assertThat(queue.settle(request).state()).isEqualTo(RequestQueue.State.WITHDRAWN);
        RoutedRequest late = new RoutedRequest("c-2", ALICE, PAPER, 0, "test", "{}", "caller", Instant.MAX);
        assertThat(queue.settle(late).state()).isEqualTo(RequestQueue.State.WITHDRAWN);
        assertThat(queue.push(late).state()).isEqualTo(RequestQueue.State.WITHDRAWN);
        assertThat(redis.commands().exists("ws:rpc:" + owner)).isZero();
    }

    @Test
    @Tag("X23")
    @DisplayName("A full queue and a payload that is too large are refused, not sent")
    void queueAndPayloadAreBounded() throws Exception {
        for (int number = 0; number < RequestQueue.MAX_QUEUED; number++) {
            redis.commands().rpush("ws:rpc:" + owner, "1:{}");
        }
        assertThat(call(LIMIT)).isEqualTo(new CallResult.NotSent("The replica's queue is full."));
        assertThat(calls.call(ALICE, PAPER, "test", "x".repeat(RoutedCalls.MAX_PAYLOAD_BYTES + 1), LIMIT))
                .isInstanceOf(CallResult.NotSent.class);
    }

    @Test
    void failedHandlerIsUnknownAndUnknownKindMismatches() throws Exception {
        inbox(owner, _ -> {
            throw new IllegalStateException("as the test wants");
        });
        assertThat(call(LIMIT)).isInstanceOf(CallResult.Unknown.class);
        assertThat(calls.call(ALICE, PAPER, "other", "{}", LIMIT)).isEqualTo(new CallResult.Mismatch());
    }
}
