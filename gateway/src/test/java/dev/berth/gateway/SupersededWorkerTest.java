package dev.berth.gateway;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.gateway.Refusing.assertDenied;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SupersededWorkerTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask worker;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        worker = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private void poll() {
        worker.call(
                WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                PollActivityTaskQueueRequest.newBuilder()
                        .setNamespace(TemporalClients.NAMESPACE)
                        .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ordersOf(ALICE)))
                        .build());
    }

    private void renew() {
        String next = worker.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(worker.publicKey()))
                .certificate();
        assertThat(next).contains("CERTIFICATE");
    }

    @Tag("X16")
    @DisplayName("A worker whose user has a newer one gets no task and no further certificate")
    @Test
    void getsNoTaskAndNoCertificate() {
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertDenied(gateway, Refusal.SUPERSEDED, this::poll);
        assertDenied(gateway, Refusal.SUPERSEDED, this::renew);
        assertThat(temporal.polls).isEmpty();
    }

    @Test
    void goesOnWhileItIsTheNewestAndWhenRedisLostTheEpoch() {
        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        renew();
        redis.commands().flushall();
        renew();
        assertThat(gateway.refused).isEmpty();
    }
}
