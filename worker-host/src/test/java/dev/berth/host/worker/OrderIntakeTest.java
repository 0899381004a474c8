package dev.berth.host.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OrderIntakeTest {
    private static final Duration RECONNECTED = Duration.ofSeconds(30);

    private int port;
    private WorkflowServiceStubs nobody;
    private WorkerFactory orders;
    private OrderIntake intake;

    @BeforeEach
    void withoutTemporal() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        nobody = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget("127.0.0.1:" + port)
                .build());
        orders = WorkerFactory.newInstance(WorkflowClient.newInstance(nobody));
        intake = new OrderIntake(orders);
    }

    @AfterEach
    void stop() {
        orders.shutdownNow();
        nobody.shutdownNow();
    }

    @DisplayName("E8 a worker whose session opens while Temporal is away takes orders as soon as Temporal answers")
    @Test
    void temporalComesLate() throws Exception {
        intake.open();
        intake.open();
        assertThat(orders.isStarted()).isFalse();
        try (TestServer.PortBoundTestServer _ = TestServer.createPortBoundServer(port)) {
            await().atMost(RECONNECTED).until(orders::isStarted);
            intake.shut();
        }
        assertThat(orders.isTerminated()).isTrue();
    }

    @DisplayName("A12 a worker that closes while Temporal is away ends, and is not opened again")
    @Test
    void shutBeforeTemporalCame() throws Exception {
        intake.open();
        intake.shut();
        assertThat(orders.isTerminated()).isTrue();
        assertThatThrownBy(intake::open).isInstanceOf(IOException.class);
    }
}
