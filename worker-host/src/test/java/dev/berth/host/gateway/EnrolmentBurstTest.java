package dev.berth.host.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Enrolments of a whole fleet that starts. */
class EnrolmentBurstTest {
    private static final int TASKS = 100;

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    @Tag("X32")
    @DisplayName("Hundreds of tasks of one address enrol at once")
    @Test
    void allEnrol() throws Exception {
        List<ManagedChannel> connections = new ArrayList<>();
        try (TestGateway gateway = new TestGateway(redis);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            GatewayEndpoint endpoint = gateway.endpoint("none");
            SslContext tls = GatewayTls.context(endpoint.authorities().toArray(X509Certificate[]::new), null);
            List<Future<EnrolAnswer>> enrolments = new ArrayList<>();
            WorkerKeyPair sealing = new WorkerKeyPair();
            for (int number = 0; number < TASKS; number++) {
                String secret = "secret-" + number;
                String taskArn = TestHost.task("task-" + number).taskArn();
                gateway.record(secret, taskArn, "user-" + number + ":1");
                ManagedChannel connection = NettyChannelBuilder.forTarget(endpoint.target())
                        .sslContext(tls)
                        .build();
                connections.add(connection);
                TaskEnrolment task =
                        new TaskEnrolment(connection, secret, taskArn, new TaskKeyPair(), sealing.publicKey());
                enrolments.add(threads.submit(() -> {
                    EnrolAnswer answer = task.run();
                    connection.shutdown();
                    return answer;
                }));
            }
            for (Future<EnrolAnswer> enrolment : enrolments) {
                assertThat(enrolment.get().assignment()).isNotNull();
            }
        } finally {
            connections.forEach(ManagedChannel::shutdownNow);
        }
    }
}
