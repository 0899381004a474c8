package dev.berth.gateway;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.temporal.gateway.GatewayMessages.BindAnswer;
import dev.berth.temporal.gateway.GatewayMessages.BindRequest;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.ReservedRequest;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolBindingTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final HeartbeatRequest HEARTBEAT =
            new HeartbeatRequest(new ReportedActivity("", "", "", "", 0), "host", 1, "dev", Instant.EPOCH.toString());

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask pool;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        pool = gateway.poolTask();
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private void reserve(TestTask task, UserId userId, long epoch) {
        redis.commands().set(RedisKeys.epoch(userId), Long.toString(epoch));
        redis.commands().set(RedisKeys.reserved(task.id()), RedisKeys.claim(userId, epoch));
    }

    private static BindRequest claim(UserId userId, long epoch) {
        return new BindRequest(userId, epoch, HEARTBEAT);
    }

    private static void bind(TestTask task, UserId userId, long epoch) {
        BindAnswer bound = task.call(GatewayMethods.BIND, claim(userId, epoch));
        assertThat(bound.verdict()).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.commands().get(RedisKeys.mark(userId))).isEqualTo(task.id());
        task.showing(bound.assignment());
    }

    private static HeartbeatVerdict heartbeat(TestTask task) {
        return task.call(GatewayMethods.RENEW_HEARTBEAT, HEARTBEAT).verdict();
    }

    private void assertClaimRefused(TestTask task, UserId userId, long epoch) {
        assertDenied(gateway, Refusal.CLAIM, () -> task.call(GatewayMethods.BIND, claim(userId, epoch)));
    }

    private void assertIdleRefused(TestTask task) {
        assertDenied(gateway, Refusal.STATE, () -> task.call(GatewayMethods.RENEW_IDLE, new Empty()));
        assertThat(redis.commands().zscore(RedisKeys.POOL_IDLE, task.id())).isNull();
    }

    @Tag("X16")
    @DisplayName("A pool worker is bound once, to the user and the epoch that the lifecycle reserved it for")
    @Test
    void bindsOnceToTheReservedClaim() {
        assertClaimRefused(pool, ALICE, 7);
        reserve(pool, ALICE, 7);
        assertClaimRefused(pool, BOB, 7);
        assertClaimRefused(pool, ALICE, 8);
        assertClaimRefused(gateway.poolTask(), ALICE, 7);

        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        bind(pool, ALICE, 7);
        assertThat(heartbeat(pool)).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.commands().get(RedisKeys.mark(ALICE))).isEqualTo(pool.id());

        reserve(pool, BOB, 3);
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.BIND, claim(BOB, 3)));
        pool.showing(null);
        assertClaimRefused(pool, BOB, 3);
        assertClaimRefused(pool, ALICE, 7);
    }

    @Test
    void supersededClaimLeavesTheWorkerIdle() {
        reserve(pool, ALICE, 7);
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertClaimRefused(pool, ALICE, 7);
        assertThat(pool.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isFalse();
    }

    @Test
    void workerOfUserIsNotBound() {
        TestTask alice = gateway.userTask(ALICE, 7);
        reserve(alice, BOB, 3);
        assertDenied(gateway, Refusal.STATE, () -> alice.call(GatewayMethods.BIND, claim(BOB, 3)));
    }

    @Tag("X16")
    @DisplayName("A worker that has a user cannot list itself as idle")
    @Test
    void boundWorkerIsNotListed() {
        assertThat(pool.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isFalse();
        assertThat(redis.commands().zrange(RedisKeys.POOL_IDLE, 0, -1)).containsExactly(pool.id());
        reserve(pool, ALICE, 7);
        bind(pool, ALICE, 7);
        pool.call(GatewayMethods.LEAVE_IDLE, new Empty());

        assertIdleRefused(pool);
        pool.showing(null);
        assertIdleRefused(pool);
        redis.commands().del(RedisKeys.task(pool.id()));
        assertIdleRefused(pool);
        assertIdleRefused(gateway.userTask(ALICE, 8));
    }

    @Tag("D5")
    @DisplayName("A worker lists itself in the pool of the group that it was launched for")
    @Test
    void workerIsListedInItsGroup() {
        TestTask golden = gateway.poolTask(new UserGroup("gold"));
        golden.call(GatewayMethods.RENEW_IDLE, new Empty());
        String idle = PoolNames.idle(new UserGroup("gold"));
        assertThat(redis.commands().zrange(idle, 0, -1)).containsExactly(golden.id());
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        golden.call(GatewayMethods.LEAVE_IDLE, new Empty());
        assertThat(redis.commands().zcard(idle)).isZero();
        reserve(golden, ALICE, 7);
        bind(golden, ALICE, 7);
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
    void stoppedWorkerGetsNoUser() {
        new StoppedTasks(redis.commands()).record(pool.arn);
        reserve(pool, ALICE, 7);
        assertClaimRefused(pool, ALICE, 7);
        assertIdleRefused(pool);
        assertThat(redis.commands().exists(RedisKeys.mark(ALICE))).isZero();
    }

    @Tag("X31")
    @DisplayName("A bound worker's certificate is renewed with its assignment only, an idle worker's without")
    @Test
    void boundWorkerRenewsWithAssignment() {
        CertificateRequest request = new CertificateRequest(pool.publicKey());
        assertThat(pool.call(GatewayMethods.RENEW_CERTIFICATE, request)).isNotNull();
        reserve(pool, ALICE, 7);
        bind(pool, ALICE, 7);
        assertThat(pool.call(GatewayMethods.RENEW_CERTIFICATE, request)).isNotNull();
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertDenied(gateway, Refusal.SUPERSEDED, () -> pool.call(GatewayMethods.RENEW_CERTIFICATE, request));
        pool.showing(null);
        assertDenied(gateway, Refusal.ASSIGNMENT, () -> pool.call(GatewayMethods.RENEW_CERTIFICATE, request));
    }

    @Test
    void retiredWorkerHearsOfIt() {
        redis.commands().set(RedisKeys.reserved(pool.id()), RedisKeys.RETIRED);
        assertThat(pool.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isTrue();
        assertClaimRefused(pool, ALICE, 7);
    }

    @Test
    void reservationsAreAnsweredWithoutTheirUser() {
        reserve(pool, ALICE, 7);
        TestTask other = gateway.poolTask();
        assertThat(other.call(GatewayMethods.IS_RESERVED, new ReservedRequest(pool.id()))
                        .reserved())
                .isTrue();
        assertThat(other.call(GatewayMethods.IS_RESERVED, new ReservedRequest(other.id()))
                        .reserved())
                .isFalse();
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> other.call(GatewayMethods.IS_RESERVED, new ReservedRequest("*")));
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
        assertThat(heartbeat(pool)).isEqualTo(HeartbeatVerdict.EPOCH_LOST);
        assertThat(redis.commands().keys("worker:active:*")).isEmpty();
    }
}
