package dev.berth.gateway;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestRedis;
import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnrolmentTest {
    private static final Duration WINDOW = Duration.ofSeconds(90);

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private void assertNotEnrolled(TestTask task, String secret) {
        assertRefused(gateway, Refusal.ENROLMENT, Code.NOT_FOUND, () -> task.enrol(secret));
    }

    @Tag("X16")
    @DisplayName("A task enrols once; its secret is dead after its first use or 90 s")
    @Test
    void secretEnrolsOnce() {
        TestTask task = gateway.task();
        String secret = gateway.record(task.arn, RedisKeys.claim(ALICE, 7), WINDOW);
        assertThat(task.enrol(secret).assignment()).isNotNull();
        task.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());

        assertNotEnrolled(gateway.task(task.arn), secret);
    }

    @Test
    void secretOfAnotherTaskIsRefused() {
        TestTask task = gateway.task();
        String secret = gateway.record(task.arn, RedisKeys.claim(ALICE, 7), WINDOW);
        assertNotEnrolled(gateway.task(), secret);
        assertThat(task.enrol(secret)).as("the right one still may").isNotNull();
    }

    @Test
    void expiredSecretIsRefused() {
        TestTask task = gateway.task();
        assertNotEnrolled(task, gateway.record(task.arn, RedisKeys.claim(ALICE, 7), Duration.ofSeconds(-1)));
    }

    @Test
    void unknownSecretIsRefused() {
        assertNotEnrolled(gateway.task(), "guessed");
    }

    @Test
    void keyWithoutProofIsRefused() {
        TestTask task = gateway.task();
        TestTask thief = gateway.task(task.arn);
        String secret = gateway.record(task.arn, RedisKeys.claim(ALICE, 7), WINDOW);
        String signature = thief.sign(EnrolmentProof.of(secret, task.arn));
        assertRefused(
                gateway,
                Refusal.ENROLMENT,
                Code.NOT_FOUND,
                () -> thief.call(
                        GatewayMethods.ENROL, new EnrolRequest(secret, task.arn, task.publicKey(), signature)));
        assertThat(task.enrol(secret)).as("the secret is not used up").isNotNull();
    }

    @Test
    void malformedRequestsAreRefused() {
        TestTask task = gateway.task();
        assertRefused(
                gateway, Refusal.ARGUMENT, Code.INVALID_ARGUMENT, () -> task.enrol("secret", "arn:aws:s3:::bucket"));
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> task.call(GatewayMethods.ENROL, new EnrolRequest("secret", task.arn, "no key", "none")));
    }

    @Test
    void withoutCertificateOnlyEnrolmentIsAllowed() {
        TestTask task = gateway.task();
        assertRefused(
                gateway,
                Refusal.UNAUTHENTICATED,
                Code.UNAUTHENTICATED,
                () -> task.call(GatewayMethods.RENEW_IDLE, new Empty()));
        assertRefused(
                gateway,
                Refusal.UNAUTHENTICATED,
                Code.UNAUTHENTICATED,
                () -> task.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(task.publicKey())));
    }

    @Test
    void certificateOfAnotherAuthorityIsRefused() {
        CertificateAuthority other =
                CertificateAuthority.open(CertificateAuthority.create(InstantSource.system()), InstantSource.system());
        TestTask task = gateway.task();
        task.with(
                other.newTask(new TaskCertificate(task.arn, UserGroup.DEFAULT, Instant.now()), task.keys.getPublic()));
        assertThatThrownBy(() -> task.call(GatewayMethods.RENEW_IDLE, new Empty()))
                .isInstanceOf(StatusRuntimeException.class);
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
    }

    @Test
    void expiredCertificateIsRefused() {
        InstantSource past = InstantSource.offset(InstantSource.system(), Duration.ofHours(-2));
        TestTask task = gateway.poolTask();
        assertThat(task.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isFalse();
        CertificateAuthority same = CertificateAuthority.open(GatewayFixture.OWN, past);
        task.with(same.newTask(new TaskCertificate(task.arn, UserGroup.DEFAULT, Instant.now()), task.keys.getPublic()));
        assertThatThrownBy(() -> task.call(GatewayMethods.RENEW_IDLE, new Empty()))
                .isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void serverCertificateOfWorkerIsNoTasks() {
        var server = GatewayFixture.AUTHORITY.newServer(List.of("localhost"));
        TestTask task = gateway.task();
        assertThatThrownBy(() ->
                        task.with(server.certificate(), server.key()).call(GatewayMethods.RENEW_IDLE, new Empty()))
                .isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void certificateIsRenewed() {
        TestTask task = gateway.poolTask();
        String next = task.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(task.publicKey()))
                .certificate();
        task.with(next);
        assertThat(task.call(GatewayMethods.RENEW_IDLE, new Empty()).retired()).isFalse();
    }

    @Test
    void assignmentOfAnotherTaskIsRefused() {
        TestTask bob = gateway.userTask(BOB, 3);
        TestTask alice = gateway.userTask(ALICE, 7);
        alice.showing(bob.assignment());
        assertDenied(gateway, Refusal.ASSIGNMENT, () -> alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty()));
        alice.showing(null);
        assertDenied(gateway, Refusal.ASSIGNMENT, () -> alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty()));
    }

    @Test
    void forgedAssignmentIsRefused() {
        TestTask pool = gateway.poolTask();
        byte[] otherKey = new byte[32];
        Arrays.fill(otherKey, (byte) 1);
        String forged = new AssignmentTokens(new GatewayKey(otherKey)).token(new Assignment(pool.id(), ALICE, 7));
        for (String token : new String[] {forged, "", ".", pool.id() + ".alice.7.", "x.y.z.!"}) {
            pool.showing(token);
            assertDenied(gateway, Refusal.ASSIGNMENT, () -> pool.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty()));
        }
    }
}
