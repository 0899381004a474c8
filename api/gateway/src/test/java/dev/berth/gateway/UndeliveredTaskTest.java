package dev.berth.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.TaskQueues;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.ShutdownWorkerRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.payload.context.WorkflowSerializationContext;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a Temporal that hands a task out at the very moment that the test wants. */
class UndeliveredTaskTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask alice;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        alice = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private static PollActivityTaskQueueRequest poll(String workerKey) {
        return PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(TemporalClients.NAMESPACE)
                .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ordersOf(ALICE)))
                .setWorkerInstanceKey(workerKey)
                .build();
    }

    private ClientCall<PollActivityTaskQueueRequest, PollActivityTaskQueueResponse> newCall(TestTask task) {
        return task.channel().newCall(WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), CallOptions.DEFAULT);
    }

    private FakeTemporal.Parked parked(int number) {
        await().until(() -> temporal.polls.size() > number);
        return temporal.polls.get(number);
    }

    @Tag("X16")
    @DisplayName("A task that is matched to a poll whose worker left fails at once as undelivered")
    @Test
    void taskForPollThatLeftFailsAtOnce() {
        var answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        FakeTemporal.Parked poll = parked(0);
        answer.cancel(true);

        await().until(() -> !temporal.shutDown.isEmpty());
        ShutdownWorkerRequest shutDown = temporal.shutDown.getFirst();
        assertThat(shutDown.getWorkerInstanceKey())
                .isEqualTo(poll.request().getWorkerInstanceKey())
                .isNotEqualTo("worker");
        assertThat(shutDown.getTaskQueue()).isEqualTo(TaskQueues.ordersOf(ALICE));

        poll.answer("task");
        await().until(() -> !temporal.failed.isEmpty());
        assertThat(temporal.failed.getFirst().getTaskToken().toStringUtf8()).isEqualTo("task");
        assertThat(temporal.failed
                        .getFirst()
                        .getFailure()
                        .getApplicationFailureInfo()
                        .getType())
                .isEqualTo(FailureType.UNDELIVERED.code());
        await().until(() -> gateway.server().parkedPolls() == 0);
    }

    @Test
    void emptyAnswerForPollThatLeftIsDropped() {
        var answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        FakeTemporal.Parked poll = parked(0);
        answer.cancel(true);
        await().until(() -> !temporal.shutDown.isEmpty());
        poll.answer("");
        await().until(() -> gateway.server().parkedPolls() == 0);
        assertThat(temporal.failed).isEmpty();
    }

    @Test
    void taskReachesItsWorkerSealed() throws Exception {
        Future<PollActivityTaskQueueResponse> answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        parked(0).answer("task", writtenIn("order:alice:o-1"));
        assertThat(answer.get().getTaskToken().toStringUtf8()).endsWith("task").isNotEqualTo("task");
        assertThat(answer.get().getInput().getPayloads(0).getData().toStringUtf8())
                .isEqualTo("\"secret\"");
        assertThat(temporal.failed).isEmpty();
    }

    private static Payload writtenIn(String workflowId) {
        return TestPayloadKeys.CONVERTER
                .withContext(new WorkflowSerializationContext(TemporalClients.NAMESPACE, workflowId))
                .toPayload("secret")
                .orElseThrow();
    }

    @Tag("X13")
    @DisplayName("A task that was changed, or is of another user or a missing key, fails at once as undelivered")
    @ParameterizedTest
    @ValueSource(strings = {"changed", "missing", "another"})
    void unreadableTaskIsNotDelivered(String how) throws Exception {
        Payload own = writtenIn("order:alice:o-1");
        Payload unreadable = switch (how) {
            case "changed" ->
                own.toBuilder()
                        .setData(own.getData().concat(ByteString.copyFromUtf8("x")))
                        .build();
            case "missing" ->
                own.toBuilder()
                        .putMetadata("encryption-key-id", ByteString.copyFromUtf8("2e/alice"))
                        .build();
            default -> writtenIn("order:bob:o-1");
        };
        Future<PollActivityTaskQueueResponse> answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        parked(0).answer("task", own, unreadable);
        assertThat(answer.get()).isEqualTo(PollActivityTaskQueueResponse.getDefaultInstance());
        await().until(() -> !temporal.failed.isEmpty());
        assertThat(temporal.failed.getFirst().getTaskToken().toStringUtf8()).isEqualTo("task");
        assertThat(temporal.failed
                        .getFirst()
                        .getFailure()
                        .getApplicationFailureInfo()
                        .getType())
                .isEqualTo(FailureType.UNDELIVERED.code());
    }

    @Test
    void workerEndsItsOwnPollsOnly() throws Exception {
        TestTask bob = gateway.userTask(BOB, 3);
        Future<PollActivityTaskQueueResponse> answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        FakeTemporal.Parked poll = parked(0);
        ShutdownWorkerRequest shutDown = ShutdownWorkerRequest.newBuilder()
                .setNamespace(TemporalClients.NAMESPACE)
                .setWorkerInstanceKey("worker")
                .build();
        bob.call(WorkflowServiceGrpc.getShutdownWorkerMethod(), shutDown);
        bob.call(
                WorkflowServiceGrpc.getShutdownWorkerMethod(),
                shutDown.toBuilder()
                        .setWorkerInstanceKey(poll.request().getWorkerInstanceKey())
                        .build());
        alice.call(WorkflowServiceGrpc.getShutdownWorkerMethod(), shutDown);
        await().until(() -> !temporal.shutDown.isEmpty());
        assertThat(temporal.shutDown)
                .extracting(ShutdownWorkerRequest::getWorkerInstanceKey)
                .containsExactly(poll.request().getWorkerInstanceKey());
        poll.answer("");
        assertThat(answer.get().getTaskToken()).isEmpty();

        var again = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        assertThat(again.get().getTaskToken())
                .as("answered by the gateway itself")
                .isEmpty();
        assertThat(temporal.polls).hasSize(1);
    }

    @Test
    void closingGatewayAsksForAnswers() throws Exception {
        var answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        FakeTemporal.Parked poll = parked(0);
        Thread closing = Thread.ofVirtual().start(() -> gateway.server().close());
        await().until(() -> !temporal.shutDown.isEmpty());
        poll.answer("task");
        assertThat(answer.get().getTaskToken()).isNotEmpty();
        closing.join();
    }

    @Test
    void temporalsStatusIsRelayed() {
        Future<PollActivityTaskQueueResponse> answer = ClientCalls.futureUnaryCall(newCall(alice), poll("worker"));
        parked(0).answer().onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
        assertThatThrownBy(answer::get).hasMessageContaining("RESOURCE_EXHAUSTED");
    }
}
