package dev.berth.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.ClaimMessage;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ParkedWorkersTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final Caller WORKER =
            new Caller(new TaskCertificate(GatewayFixture.newArn(), UserGroup.DEFAULT, Instant.EPOCH, null), null);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final CancellableContext call = Context.ROOT.withCancellation();
    private final List<ClaimResult> results = new ArrayList<>();
    /** Runs in the middle of a claim: after the task was bound, before its worker is told. */
    private Runnable whileBinding = () -> {};

    private final ParkedWorkers workers = new ParkedWorkers(membership(), threads, clock, new Listener());

    private final class Listener implements GatewayListener {
        @Override
        public void refused(String method, Refusal reason) {}

        @Override
        public void requestsUsed(int percent) {
            whileBinding.run();
        }

        @Override
        public void claim(ClaimResult result) {
            results.add(result);
        }
    }

    private PoolMembership membership() {
        Refusals refusals = new Refusals(new Listener());
        return new PoolMembership(
                redis.commands(),
                new AssignmentTokens(new GatewayKey(new byte[32])),
                new UserHeartbeats(redis.commands(), new Listener(), refusals),
                refusals);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        clock.shutdownNow();
    }

    private CompletionStage<ClaimAnswer> park() throws Exception {
        return call.call(() -> workers.park(WORKER, PoolBindingTest.heartbeat("host")));
    }

    private void offer() {
        String task = WORKER.task().taskId();
        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        redis.commands().set(RedisKeys.reserved(task), RedisKeys.claim(ALICE, 7));
        workers.offer(new ClaimMessage(ALICE, 7, task, Instant.now()));
    }

    @Tag("X4")
    @DisplayName("A worker that leaves while it is bound keeps the user's next worker out for no time")
    @Test
    void workerThatLeavesWhileItIsBoundIsReleased() throws Exception {
        var _ = park();
        whileBinding = () -> call.cancel(new CancellationException("left"));
        offer();
        assertThat(results).containsExactly(ClaimResult.LOST);
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE), RedisKeys.metadata(ALICE)))
                .isZero();
        assertThat(redis.commands().get(RedisKeys.bound(WORKER.task().taskId())))
                .as("it has to end when it asks again")
                .isEqualTo("alice:7");
    }

    @Tag("X4")
    @DisplayName("A worker whose claim has an unknown outcome is told so, and asks again")
    @Test
    void unknownOutcomeEndsTheCall() throws Exception {
        CompletionStage<ClaimAnswer> answer = park();
        whileBinding = () -> {
            throw new IllegalStateException("no answer");
        };
        offer();
        assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
        assertThat(workers.count()).isZero();
    }

    @Tag("X4")
    @DisplayName("A claim whose worker does not come within 2 s is dropped")
    @Test
    void unclaimedClaimIsDropped() throws Exception {
        offer();
        assertThat(workers.waitingClaims()).isEqualTo(1);
        Awaitility.await().until(() -> workers.waitingClaims() == 0);
        CompletionStage<ClaimAnswer> answer = park();
        assertThat(answer.toCompletableFuture()).isNotDone();
        assertThat(redis.commands().exists(RedisKeys.bound(WORKER.task().taskId())))
                .isZero();
    }
}
