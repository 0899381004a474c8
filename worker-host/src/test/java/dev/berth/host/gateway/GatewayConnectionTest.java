package dev.berth.host.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.host.TestGateway;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gateway that ends every connection at once. */
class GatewayConnectionTest {
    private final AtomicInteger attempts = new AtomicInteger();
    private ServerSocket lost;
    private GatewayConnection connection;

    @BeforeEach
    void connect() throws IOException {
        lost = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::endConnections);
        connection = new GatewayConnection(TestGateway.endpoint(lost.getLocalPort(), "a secret"));
    }

    private void endConnections() {
        try {
            while (true) {
                lost.accept().close();
                attempts.incrementAndGet();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        lost.close();
    }

    @Test
    @Tag("B7")
    @DisplayName(
            "While the gateway is unavailable, each failed renewal of the heartbeat is followed by an attempt to connect")
    void reconnectsAtHeartbeats() {
        // gRPC by itself connects four times in 9 s.
        Awaitility.await()
                .atMost(Duration.ofSeconds(9))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    assertThatThrownBy(() -> connection.client().renewHeartbeat(TestGateway.RENEWAL))
                            .isInstanceOf(StatusRuntimeException.class);
                    return attempts.get() > 10;
                });
    }

    @Test
    @Tag("B7")
    @DisplayName("A poll waits until the gateway is back; other calls to Temporal fail at once")
    void pollsWait() {
        assertThat(failure(
                        temporal -> temporal.pollActivityTaskQueue(PollActivityTaskQueueRequest.getDefaultInstance())))
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(failure(temporal -> temporal.describeNamespace(DescribeNamespaceRequest.getDefaultInstance())))
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    private Status.Code failure(Consumer<WorkflowServiceBlockingStub> call) {
        var temporal = WorkflowServiceGrpc.newBlockingStub(connection.channel()).withDeadlineAfter(1, TimeUnit.SECONDS);
        return catchThrowableOfType(StatusRuntimeException.class, () -> call.accept(temporal))
                .getStatus()
                .getCode();
    }
}
