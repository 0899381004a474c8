package dev.berth.host.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TaskEnrolmentTest {
    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private TestGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new TestGateway(redis);
        redis.commands().set("worker:epoch:alice", "7");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Tag("A1")
    @DisplayName("A task that is quicker than the record of its launch waits for it")
    @Test
    void waitsForRecord() throws Exception {
        String taskArn = TestHost.task("task-1").taskArn();
        try (GatewayConnection early = new GatewayConnection(gateway.endpoint("a secret"))) {
            CompletableFuture<Void> enrolled = CompletableFuture.runAsync(() -> enrol(early, taskArn));
            gateway.record("a secret", taskArn, "alice:7");
            enrolled.get(10, TimeUnit.SECONDS);
            assertThat(early.client().renewHeartbeat(TestGateway.RENEWAL)).isEqualTo(HeartbeatVerdict.MINE);
        }
    }

    private static void enrol(GatewayConnection task, String taskArn) {
        try {
            task.enrol(taskArn, new WorkerKeyPair().publicKey());
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Tag("A1")
    @DisplayName("A renewed certificate serves a new connection; the assignment stays")
    @Test
    void renewsCertificate() throws Exception {
        GatewayConnection alice = gateway.worker("task-1", ALICE, 7);
        alice.renewCertificate();
        assertThat(alice.client().renewHeartbeat(TestGateway.RENEWAL)).isEqualTo(HeartbeatVerdict.MINE);
    }

    @Tag("A1")
    @DisplayName("Before its enrolment a task is refused everything else")
    @Test
    void refusedBeforeEnrolment() {
        try (GatewayConnection unknown = new GatewayConnection(gateway.endpoint("a secret"))) {
            // On a busy machine the first handshake may take longer than a call waits.
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> unknown.client().renewHeartbeat(TestGateway.RENEWAL))
                            .isInstanceOfSatisfying(
                                    StatusRuntimeException.class,
                                    refused -> assertThat(refused.getStatus().getCode())
                                            .isEqualTo(Status.Code.UNAUTHENTICATED)));
        }
    }
}
