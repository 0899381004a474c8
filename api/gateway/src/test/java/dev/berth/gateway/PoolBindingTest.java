package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.worker.StoppedTasks;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Claim;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolNames;
import io.grpc.Status.Code;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two gateways before one Redis, and idle pool workers that wait for their claim. */
class PoolBindingTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final UserGroup GOLD = new UserGroup("gold");

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private GatewayFixture other;
    private TestTask pool;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        other = new GatewayFixture(redis, temporal.stubs());
        pool = gateway.poolTask();
    }

    @AfterEach
    void stop() {
        gateway.close();
        other.close();
        temporal.close();
    }

    static HeartbeatRequest heartbeat(String host) {
        return new HeartbeatRequest(new ReportedActivity("", "", "", "", 0), host, 1, "dev", Instant.EPOCH.toString());
    }

    private static void reserve(TestTask task, UserId userId, long epoch) {
        redis.commands().set(RedisKeys.epoch(userId), Long.toString(epoch));
        redis.commands().set(RedisKeys.reserved(task.id()), RedisKeys.claim(userId, epoch));
    }

    /** Returns when the worker's call waits at that gateway. */
    private static Future<ClaimAnswer> waiting(GatewayFixture at, TestTask task) {
        int before = at.server().parkedWorkers();
        Future<ClaimAnswer> answer = task.start(GatewayMethods.AWAIT_CLAIM, heartbeat("host"));
        Awaitility.await().until(() -> at.server().parkedWorkers() > before);
        return answer;
    }

    private static ClaimAnswer get(Future<ClaimAnswer> answer) throws Exception {
        return answer.get(10, TimeUnit.SECONDS);
    }

    private static void assertBound(TestTask task, ClaimAnswer answer, UserId userId, long epoch) {
        Claim claim = Objects.requireNonNull(answer.claim());
        assertThat(answer.retired()).isFalse();
        assertThat(claim.userId()).isEqualTo(userId);
        assertThat(claim.epoch()).isEqualTo(epoch);
        assertThat(claim.verdict()).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.commands().get(RedisKeys.heartbeat(userId))).isEqualTo(task.id());
        assertThat(redis.commands().get(RedisKeys.bound(task.id()))).isEqualTo(RedisKeys.claim(userId, epoch));
        task.showing(claim.assignment());
        assertThat(task.call(GatewayMethods.RENEW_HEARTBEAT, heartbeat("host")).verdict())
                .isEqualTo(HeartbeatVerdict.MINE);
    }

    private static void assertUnbound(TestTask task) {
        assertThat(redis.commands().exists(RedisKeys.bound(task.id()), RedisKeys.task(task.id())))
                .isZero();
    }

    @Tag("A4")
    @DisplayName("A claim gives the worker that waits for it its user, and takes it from the pool")
    @Test
    void claimGivesWaitingWorkerItsUser() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        assertThat(redis.commands().zrange(RedisKeys.POOL_IDLE, 0, -1)).containsExactly(pool.id());
        assertThat(redis.commands().pttl(RedisKeys.poolHeartbeat(pool.id()))).isBetween(25_000L, 30_000L);
        redis.commands().zrem(RedisKeys.POOL_IDLE, pool.id());
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        assertThat(redis.commands().hget(RedisKeys.metadata(ALICE), "host")).isEqualTo("host");
        assertThat(redis.commands().exists(RedisKeys.poolHeartbeat(pool.id()), RedisKeys.reserved(pool.id())))
                .isZero();
        assertThat(gateway.claims).containsExactly(ClaimResult.BOUND);
        assertThat(gateway.server().parkedWorkers()).isZero();
    }

    @Tag("A4")
    @DisplayName("A claim that one gateway receives reaches the worker that waits at another")
    @Test
    void claimReachesWorkerAtOtherGateway() throws Exception {
        TestTask there = other.poolTask();
        Future<ClaimAnswer> answer = waiting(other, there);
        reserve(there, ALICE, 7);
        gateway.source.send(ALICE, 7, there.id());
        assertBound(there, get(answer), ALICE, 7);
        Awaitility.await().until(() -> other.claims.equals(List.of(ClaimResult.BOUND)));
        assertThat(gateway.claims).isEmpty();
    }

    @Tag("A4")
    @DisplayName("A claim that comes while its worker is between two calls waits for it, at every gateway")
    @Test
    void claimBeforeCallIsKept() throws Exception {
        TestTask there = other.poolTask();
        // A claim waits for 2 s, a connection may take longer.
        there.call(GatewayMethods.RENEW_IDLE, new Empty());
        reserve(there, ALICE, 7);
        gateway.source.send(ALICE, 7, there.id());
        assertBound(there, get(there.start(GatewayMethods.AWAIT_CLAIM, heartbeat("host"))), ALICE, 7);
    }

    @Tag("X4")
    @Tag("X16")
    @DisplayName("A worker gets the claim that it is reserved for, and no other")
    @Test
    void onlyReservedClaimIsGiven() throws Exception {
        TestTask second = gateway.poolTask();
        Future<ClaimAnswer> others = waiting(gateway, second);
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        gateway.source.send(ALICE, 7, pool.id());
        reserve(pool, ALICE, 7);
        gateway.source.send(BOB, 7, pool.id());
        gateway.source.send(ALICE, 6, pool.id());
        gateway.source.send(ALICE, 8, pool.id());
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        gateway.source.send(ALICE, 7, pool.id());
        assertThat(gateway.claims).hasSize(5).containsOnly(ClaimResult.VOID);
        assertUnbound(pool);

        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        gateway.source.send(ALICE, 7, "another-task");
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        assertThat(others.isDone()).isFalse();
        assertUnbound(second);
    }

    @Tag("B6")
    @DisplayName("A claim that comes twice has one effect")
    @Test
    void repeatedClaimHasOneEffect() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        other.source.send(ALICE, 7, pool.id());
        assertThat(gateway.claims).containsExactly(ClaimResult.BOUND);
        assertThat(other.claims).isEmpty();
    }

    @Tag("X16")
    @DisplayName("A worker that has a user gets no other, whatever it shows")
    @Test
    void boundWorkerMayNotWait() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        reserve(pool, BOB, 3);
        assertWaitRefused(pool);
        pool.showing(null);
        assertWaitRefused(pool);
        redis.commands().del(RedisKeys.task(pool.id()));
        assertWaitRefused(pool);
        assertWaitRefused(gateway.userTask(ALICE, 8));
    }

    private void assertWaitRefused(TestTask task) {
        assertDenied(gateway, Refusal.STATE, () -> task.call(GatewayMethods.AWAIT_CLAIM, heartbeat("host")));
    }

    @Tag("X16")
    @DisplayName("A worker that has a user cannot list itself as idle")
    @Test
    void boundWorkerIsNotListed() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        redis.commands().zrem(RedisKeys.POOL_IDLE, pool.id());
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.RENEW_IDLE, new Empty()));
        pool.showing(null);
        // Its renewal may meet its claim on the way: that is no offence, and has no effect.
        gateway.refused.clear();
        assertThat(pool.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isFalse();
        assertThat(gateway.refused).isEmpty();
        assertThat(redis.commands().zscore(RedisKeys.POOL_IDLE, pool.id())).isNull();
        assertThat(redis.commands().exists(RedisKeys.poolHeartbeat(pool.id()))).isZero();
        TestTask alice = gateway.userTask(ALICE, 8);
        assertDenied(gateway, Refusal.STATE, () -> alice.call(GatewayMethods.RENEW_IDLE, new Empty()));
    }

    @Tag("A3")
    @DisplayName("A retired worker hears of it, and gets no claim that is on its way")
    @Test
    void retiredWorkerGetsNoClaim() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        redis.commands().set(RedisKeys.reserved(pool.id()), RedisKeys.RETIRED);
        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        gateway.source.send(ALICE, 7, pool.id());
        assertThat(gateway.claims).containsExactly(ClaimResult.VOID);
        assertThat(pool.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isTrue();
        answer.cancel(true);
        assertThat(pool.call(GatewayMethods.AWAIT_CLAIM, heartbeat("host"))).isEqualTo(new ClaimAnswer(true, null));
        assertUnbound(pool);
    }

    @Test
    void secondCallEndsTheFirst() throws Exception {
        Future<ClaimAnswer> first = waiting(gateway, pool);
        Future<ClaimAnswer> second = pool.start(GatewayMethods.AWAIT_CLAIM, heartbeat("host"));
        assertThat(get(first)).isEqualTo(ClaimAnswer.NONE);
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(second), ALICE, 7);
    }

    @Tag("X4")
    @DisplayName("A claim for a worker that has left binds nothing, until it comes back within 2 s")
    @Test
    void claimOfLeftCallerBindsNothing() throws Exception {
        Future<ClaimAnswer> left = waiting(gateway, pool);
        left.cancel(true);
        Awaitility.await().until(() -> gateway.server().parkedWorkers() == 0);
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertUnbound(pool);
        assertBound(pool, get(pool.start(GatewayMethods.AWAIT_CLAIM, heartbeat("host"))), ALICE, 7);
    }

    @Tag("X4")
    @DisplayName("A gateway that ends takes no more claims, and sends its idle workers to another")
    @Test
    void endingGatewayAnswersWaitingWorkers() throws Exception {
        TestTask there = other.poolTask();
        Future<ClaimAnswer> answer = waiting(other, there);
        other.server().close();
        assertThat(get(answer)).isEqualTo(ClaimAnswer.NONE);
        assertThat(other.source.isClosed).isTrue();
        assertUnbound(there);
    }

    @Tag("D5")
    @DisplayName("A worker lists itself in the pool of its group, whose claims its gateway then reads")
    @Test
    void workerIsListedInItsGroup() throws Exception {
        TestTask golden = gateway.poolTask(GOLD);
        assertThat(gateway.source.read).doesNotContainKey(GOLD);
        Future<ClaimAnswer> answer = waiting(gateway, golden);
        assertThat(gateway.source.read).containsKey(GOLD);
        assertThat(redis.commands().zrange(PoolNames.idle(GOLD), 0, -1)).containsExactly(golden.id());
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        golden.call(GatewayMethods.LEAVE_IDLE, new Empty());
        assertThat(redis.commands().zcard(PoolNames.idle(GOLD))).isZero();
        reserve(golden, ALICE, 7);
        gateway.source.send(ALICE, 7, golden.id());
        assertBound(golden, get(answer), ALICE, 7);
    }

    @Test
    void idleWorkerIsListedSinceItEnrolled() {
        Instant before = Instant.now();
        TestTask young = gateway.poolTask();
        young.call(GatewayMethods.RENEW_IDLE, new Empty());
        double score = redis.commands().zscore(RedisKeys.POOL_IDLE, young.id());
        assertThat(Instant.ofEpochMilli((long) score)).isBetween(before.minus(Duration.ofMillis(1)), Instant.now());
    }

    @Tag("X31")
    @DisplayName("A pool worker that was stopped is neither bound nor listed")
    @Test
    void stoppedWorkerGetsNoUser() throws Exception {
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        new StoppedTasks(redis.commands()).record(pool.arn);
        redis.commands().zrem(RedisKeys.POOL_IDLE, pool.id());
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        Awaitility.await().until(() -> gateway.claims.contains(ClaimResult.VOID));
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isZero();
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.AWAIT_CLAIM, heartbeat("host")));
        pool.call(GatewayMethods.RENEW_IDLE, new Empty());
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        answer.cancel(true);
    }

    @Tag("X31")
    @DisplayName("A bound worker's certificate is renewed with its assignment only, an idle worker's without")
    @Test
    void boundWorkerRenewsWithAssignment() throws Exception {
        CertificateRequest request = new CertificateRequest(pool.publicKey());
        assertThat(pool.call(GatewayMethods.RENEW_CERTIFICATE, request)).isNotNull();
        Future<ClaimAnswer> answer = waiting(gateway, pool);
        reserve(pool, ALICE, 7);
        gateway.source.send(ALICE, 7, pool.id());
        assertBound(pool, get(answer), ALICE, 7);
        assertThat(pool.call(GatewayMethods.RENEW_CERTIFICATE, request)).isNotNull();
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertDenied(gateway, Refusal.SUPERSEDED, () -> pool.call(GatewayMethods.RENEW_CERTIFICATE, request));
        pool.showing(null);
        assertDenied(gateway, Refusal.ASSIGNMENT, () -> pool.call(GatewayMethods.RENEW_CERTIFICATE, request));
    }

    @Tag("A6")
    @DisplayName("An idle worker renews its key for 30 s, and is listed unless it is reserved")
    @Test
    void renewalExtendsKey() {
        pool.call(GatewayMethods.RENEW_IDLE, new Empty());
        redis.commands().pexpire(RedisKeys.poolHeartbeat(pool.id()), 1_000);
        redis.commands().zpopmin(RedisKeys.POOL_IDLE);
        reserve(pool, ALICE, 7);
        long began = System.nanoTime();
        pool.call(GatewayMethods.RENEW_IDLE, new Empty());
        long left = redis.commands().pttl(RedisKeys.poolHeartbeat(pool.id()));
        long passed = Duration.ofNanos(System.nanoTime() - began).toMillis() + 1;
        assertThat(left).isBetween(30_000 - passed, 30_000L);
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        redis.commands().del(RedisKeys.reserved(pool.id()));
        pool.call(GatewayMethods.RENEW_IDLE, new Empty());
        assertThat(redis.commands().zrange(RedisKeys.POOL_IDLE, 0, -1)).containsExactly(pool.id());
    }

    @Test
    void metadataOfWaitingWorkerAreBounded() {
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> pool.call(GatewayMethods.AWAIT_CLAIM, heartbeat("h".repeat(257))));
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
    }

    @Test
    void onlyIdleWorkersWarmUp() {
        TestTask alice = gateway.userTask(ALICE, 7);
        WarmUpRequest attach = new WarmUpRequest("attach", List.of());
        assertDenied(gateway, Refusal.STATE, () -> alice.call(GatewayMethods.WARM_UP, attach));
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> pool.call(GatewayMethods.WARM_UP, new WarmUpRequest("submitOrder", List.of())));
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.PREPARE_TRAINING, new Empty()));
    }

    @Test
    void warmUpHeartbeatTouchesNoUser() {
        redis.commands().set(RedisKeys.epoch(ALICE), "0");
        assertThat(pool.call(GatewayMethods.RENEW_HEARTBEAT, heartbeat("host")).verdict())
                .isEqualTo(HeartbeatVerdict.EPOCH_LOST);
        assertThat(redis.commands().keys("worker:active:*")).isEmpty();
    }
}
