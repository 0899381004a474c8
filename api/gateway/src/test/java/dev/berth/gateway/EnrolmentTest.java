package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.worker.StoppedTasks;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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
        String signature = thief.sign(EnrolmentProof.of(secret, task.arn, null));
        assertRefused(
                gateway,
                Refusal.ENROLMENT,
                Code.NOT_FOUND,
                () -> thief.call(
                        GatewayMethods.ENROL, new EnrolRequest(secret, task.arn, task.publicKey(), signature, null)));
        assertThat(task.enrol(secret)).as("the secret is not used up").isNotNull();
    }

    @Tag("X31")
    @DisplayName("The sealing key is the task's own: its signature covers it, and a renewed certificate keeps it")
    @Test
    void sealingKeyIsTheTasksOwn() throws Exception {
        TestTask task = gateway.task();
        String secret = gateway.record(task.arn, RedisKeys.claim(ALICE, 7), WINDOW);
        String signature = task.sign(EnrolmentProof.of(secret, task.arn, task.sealingKey()));
        for (String other : new String[] {TestTask.newSealingKey(), null}) {
            assertRefused(
                    gateway,
                    Refusal.ENROLMENT,
                    Code.NOT_FOUND,
                    () -> task.call(
                            GatewayMethods.ENROL,
                            new EnrolRequest(secret, task.arn, task.publicKey(), signature, other)));
        }
        String first = task.enrol(secret).certificate();
        String next = task.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(task.publicKey()))
                .certificate();
        assertThat(TaskCertificate.of(parsed(first)).sealingKey()).isEqualTo(task.sealingKey());
        assertThat(TaskCertificate.of(parsed(next))).isEqualTo(TaskCertificate.of(parsed(first)));
    }

    private static X509Certificate parsed(String pem) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Pem.decode(Pem.CERTIFICATE, pem)));
    }

    @Test
    void malformedSealingKeyIsRefused() {
        for (String key : List.of("", "key", "A".repeat(42) + "==", "A".repeat(44), "-".repeat(43) + "=")) {
            TestTask task = gateway.task().sealingKey(key);
            String secret = gateway.record(task.arn, RedisKeys.claim(ALICE, 7), WINDOW);
            assertRefused(gateway, Refusal.ARGUMENT, Code.INVALID_ARGUMENT, () -> task.enrol(secret));
        }
    }

    @Tag("X31")
    @DisplayName("Two tasks of one pool launch cannot enrol as each other")
    @Test
    void siblingsShareNothing() {
        TestTask one = gateway.task();
        TestTask two = gateway.task();
        String first = gateway.record(one.arn, RedisKeys.POOL_USER, WINDOW);
        String second = gateway.record(two.arn, RedisKeys.POOL_USER, WINDOW);
        assertRefused(gateway, Refusal.ENROLMENT, Code.NOT_FOUND, () -> one.enrol(first, two.arn));
        assertRefused(gateway, Refusal.ENROLMENT, Code.NOT_FOUND, () -> two.enrol(second, one.arn));
        assertThat(one.enrol(first)).isNotNull();
        assertThat(two.enrol(second)).isNotNull();
    }

    @Tag("X31")
    @DisplayName("A task that was stopped does not enrol, and gets no further certificate")
    @Test
    void stoppedTaskGetsNoCertificate() {
        TestTask early = gateway.task();
        String secret = gateway.record(early.arn, RedisKeys.claim(ALICE, 7), WINDOW);
        TestTask user = gateway.userTask(ALICE, 7);
        TestTask pool = gateway.poolTask();
        StoppedTasks stopped = new StoppedTasks(redis.commands());
        for (TestTask task : List.of(early, user, pool)) {
            stopped.record(task.arn);
        }
        assertNotEnrolled(early, secret);
        for (TestTask task : List.of(user, pool)) {
            assertDenied(
                    gateway,
                    Refusal.STOPPED,
                    () -> task.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(task.publicKey())));
        }
        assertThat(StoppedTasks.KEPT).isEqualTo(Enrolment.BINDING_TTL);
    }

    @Tag("X31")
    @DisplayName("A certificate is renewed for the worker of a user with its assignment only")
    @Test
    void renewalNeedsAssignment() {
        TestTask task = gateway.userTask(ALICE, 7);
        CertificateRequest request = new CertificateRequest(task.publicKey());
        String assignment = task.assignment();
        task.showing(null);
        assertDenied(gateway, Refusal.ASSIGNMENT, () -> task.call(GatewayMethods.RENEW_CERTIFICATE, request));
        task.showing(assignment);
        assertThat(task.call(GatewayMethods.RENEW_CERTIFICATE, request)).isNotNull();
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
                () -> task.call(GatewayMethods.ENROL, new EnrolRequest("secret", task.arn, "no key", "none", null)));
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
        task.with(other.newTask(
                new TaskCertificate(task.arn, UserGroup.DEFAULT, Instant.now(), null), task.keys.getPublic()));
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
        task.with(same.newTask(
                new TaskCertificate(task.arn, UserGroup.DEFAULT, Instant.now(), null), task.keys.getPublic()));
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
