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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderPollingTest {
    private static final Duration RECONNECTED = Duration.ofSeconds(30);

    private int port;
    private WorkflowServiceStubs stubs;
    private WorkerFactory orders;
    private OrderPolling polling;

    @BeforeEach
    void withoutTemporal() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget("127.0.0.1:" + port)
                .build());
        orders = WorkerFactory.newInstance(WorkflowClient.newInstance(stubs));
        polling = new OrderPolling(orders);
    }

    @AfterEach
    void stop() {
        orders.shutdownNow();
        stubs.shutdownNow();
    }

    @Tag("E8")
    @DisplayName("Polling starts as soon as Temporal answers")
    @Test
    void startsWhenTemporalAnswers() throws Exception {
        polling.start();
        polling.start();
        assertThat(orders.isStarted()).isFalse();
        try (TestServer.PortBoundTestServer _ = TestServer.createPortBoundServer(port)) {
            await().atMost(RECONNECTED).until(orders::isStarted);
            polling.stop();
        }
        assertThat(orders.isTerminated()).isTrue();
    }

    @Tag("A12")
    @DisplayName("Stopping before Temporal answers is final")
    @Test
    void stopsBeforeTemporalAnswers() throws Exception {
        polling.start();
        polling.stop();
        assertThat(orders.isTerminated()).isTrue();
        assertThatThrownBy(polling::start).isInstanceOf(IOException.class);
    }
}
