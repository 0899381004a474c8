package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.OrderWorkflowImpl;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The first task of an order comes back with the answer to its start: it costs half of the way
 * otherwise.
 */
class EagerStartTest {
    private final LinkedBlockingQueue<StartWorkflowExecutionResponse> answers = new LinkedBlockingQueue<>();
    private TestWorkflowEnvironment server;
    private WorkflowServiceStubs stubs;
    private WorkflowClient client;
    private WorkerFactory workers;

    @BeforeEach
    void start() {
        server = OrderSamples.temporal(false);
        stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setChannel(server.getWorkflowServiceStubs().getRawChannel())
                .setGrpcClientInterceptors(List.of(new AnswersToStarts()))
                .build());
        client = WorkflowClient.newInstance(
                stubs,
                WorkflowClientOptions.newBuilder()
                        .setNamespace(server.getNamespace())
                        .build());
        workers = WorkerFactory.newInstance(client);
        workers.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(OrderWorkflowImpl.class);
    }

    @AfterEach
    void stop() {
        workers.shutdownNow();
        workers.awaitTermination(5, TimeUnit.SECONDS);
        stubs.shutdownNow();
        server.close();
    }

    /** Keeps what the server answered to each start. */
    private final class AnswersToStarts implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onMessage(A message) {
                                    if (message instanceof StartWorkflowExecutionResponse answer) {
                                        answers.add(answer);
                                    }
                                    super.onMessage(message);
                                }
                            },
                            headers);
                }
            };
        }
    }

    @DisplayName("The first workflow task arrives with the answer to the start")
    @Test
    void firstTaskIsEager() {
        workers.start();
        assertThat(new OrderWorkflowClient(client).start(order(ALICE, "o-1", Instant.now()), false))
                .isTrue();
        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.hasEagerWorkflowTask()).isTrue());
        Awaitility.await()
                .until(() -> client.fetchHistory("order:alice:o-1").getEvents().stream()
                        .anyMatch(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED));
    }

    @Test
    void aRepeatedStartStartsNothing() {
        OrderWorkflowClient orders = new OrderWorkflowClient(client);
        assertThat(orders.start(order(ALICE, "o-1", Instant.now()), false)).isTrue();
        assertThat(orders.start(order(ALICE, "o-1", Instant.now()), false)).isFalse();
        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.hasEagerWorkflowTask()).isFalse());
    }
}
