package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.TestTemporal;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.temporal.api.enums.v1.TaskQueueKind;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.worker.v1.WorkerHeartbeat;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.RecordActivityTaskHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RecordWorkerHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemporalCallsTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final TestTemporal TEMPORAL = GatewayFixture.temporal();

    private GatewayFixture gateway;
    private TestTask alice;
    private TestTask pool;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, TEMPORAL.stubs());
        alice = gateway.userTask(ALICE, 7);
        pool = gateway.poolTask();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @AfterAll
    static void stopTemporal() {
        TEMPORAL.close();
    }

    @Tag("X16")
    @DisplayName("Every method of Temporal that no activity worker needs is refused")
    @Test
    void everyOtherMethodIsRefused() {
        List<MethodDescriptor<?, ?>> others = Stream.of(
                        WorkflowServiceGrpc.getServiceDescriptor(), OperatorServiceGrpc.getServiceDescriptor())
                .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
                .filter(method -> !TemporalCalls.allowed().contains(method))
                .toList();
        assertThat(others).hasSizeGreaterThan(100);
        for (TestTask task : List.of(alice, pool)) {
            for (MethodDescriptor<?, ?> method : others) {
                assertDenied(gateway, Refusal.METHOD, () -> callEmpty(task, method));
                assertThat(gateway.refused.getFirst().method()).isEqualTo(method.getFullMethodName());
            }
        }
    }

    private static <Q, A> void callEmpty(TestTask task, MethodDescriptor<Q, A> method) {
        Q empty = ((PrototypeMarshaller<Q>) method.getRequestMarshaller()).getMessagePrototype();
        task.call(method, empty);
    }

    @Tag("X16")
    @Tag("X32")
    @DisplayName("Methods that neither Temporal nor the gateway has are counted under one name")
    @ParameterizedTest
    @ValueSource(strings = {WorkflowServiceGrpc.SERVICE_NAME, GatewayMethods.SERVICE, "invented"})
    void inventedMethodIsCountedUnderOneName(String service) {
        MethodDescriptor<GetSystemInfoRequest, ?> invented = WorkflowServiceGrpc.getGetSystemInfoMethod().toBuilder()
                .setFullMethodName(service + "/Invented")
                .build();
        assertDenied(gateway, Refusal.METHOD, () -> alice.call(invented, GetSystemInfoRequest.getDefaultInstance()));
        assertThat(gateway.refused.getFirst().method()).isEqualTo("other");
        assertRefused(
                gateway,
                Refusal.UNAUTHENTICATED,
                Status.Code.UNAUTHENTICATED,
                () -> gateway.task().call(invented, GetSystemInfoRequest.getDefaultInstance()));
        assertThat(gateway.refused.getFirst().method()).isEqualTo("other");
    }

    @Test
    void whatTheSdkNeedsToConnectPasses() {
        for (TestTask task : List.of(alice, pool)) {
            assertThat(task.call(
                                    WorkflowServiceGrpc.getGetSystemInfoMethod(),
                                    GetSystemInfoRequest.getDefaultInstance())
                            .getServerVersion())
                    .isNotEmpty();
            assertThat(task.call(
                                    WorkflowServiceGrpc.getDescribeNamespaceMethod(),
                                    DescribeNamespaceRequest.newBuilder()
                                            .setNamespace(TemporalClients.NAMESPACE)
                                            .build())
                            .getNamespaceInfo()
                            .getName())
                    .isEqualTo(TemporalClients.NAMESPACE);
        }
    }

    @Test
    void otherNamespacesAreRefused() {
        assertDenied(
                gateway,
                Refusal.NAMESPACE,
                () -> alice.call(
                        WorkflowServiceGrpc.getDescribeNamespaceMethod(),
                        DescribeNamespaceRequest.newBuilder()
                                .setNamespace("temporal-system")
                                .build()));
        assertDenied(
                gateway,
                Refusal.NAMESPACE,
                () -> alice.call(
                        WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                        poll(queue(TaskQueues.ordersOf(ALICE))).toBuilder()
                                .setNamespace("default")
                                .build()));
    }

    private static TaskQueue queue(String name) {
        return TaskQueue.newBuilder().setName(name).build();
    }

    private static PollActivityTaskQueueRequest poll(TaskQueue queue) {
        return PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(TemporalClients.NAMESPACE)
                .setTaskQueue(queue)
                .build();
    }

    private void assertPollRefused(TestTask task, TaskQueue queue) {
        assertDenied(
                gateway,
                Refusal.QUEUE,
                () -> task.call(WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), poll(queue)));
    }

    @Tag("X16")
    @DisplayName("A worker polls only the queues of its own user, by their exact names")
    @Test
    void queuesOfOthersAreRefused() {
        String own = TaskQueues.ordersOf(ALICE);
        for (String name : List.of(
                TaskQueues.ordersOf(BOB),
                TaskQueues.controlOf(BOB),
                TaskQueues.FLEET,
                TaskQueues.LAUNCH,
                TaskQueues.ORDERS,
                "/_sys/" + own + "/1",
                "/_sys/" + TaskQueues.ordersOf(BOB) + "/1",
                own + "-2",
                own.toUpperCase(Locale.ROOT),
                "")) {
            assertPollRefused(alice, queue(name));
        }
        assertPollRefused(
                alice,
                TaskQueue.newBuilder()
                        .setName(own)
                        .setKind(TaskQueueKind.TASK_QUEUE_KIND_STICKY)
                        .build());
        assertPollRefused(
                alice,
                TaskQueue.newBuilder()
                        .setName(own)
                        .setNormalName(TaskQueues.ordersOf(BOB))
                        .build());
    }

    @Test
    void idlePoolWorkerPollsNoUsersQueue() {
        assertPollRefused(pool, queue(TaskQueues.ordersOf(ALICE)));
        assertPollRefused(pool, queue(TaskQueues.controlOf(ALICE)));
        assertPollRefused(pool, queue("user-warm-up-" + alice.id()));
    }

    @Tag("X16")
    @DisplayName("A worker answers only for tasks that were handed to it")
    @Test
    void foreignTaskTokensAreRefused() {
        TaskTokenSeal seal = new TaskTokenSeal(new GatewayKey(new byte[32]));
        ByteString token = ByteString.copyFromUtf8("token");
        TaskTokenSeal.Task task = new TaskTokenSeal.Task("submitOrder", token);
        ByteString own = seal.seal(new Assignment(alice.id(), ALICE, 7), task);
        ByteString renamed = own.substring(0, 34)
                .concat(ByteString.copyFromUtf8("cancelOrder"))
                .concat(own.substring(34 + "submitOrder".length()));
        List<ByteString> foreign = List.of(
                ByteString.EMPTY,
                token,
                ByteString.copyFrom(new byte[32]).concat(token),
                seal.seal(new Assignment(alice.id(), BOB, 7), task),
                seal.seal(new Assignment(alice.id(), ALICE, 6), task),
                own.concat(token),
                own.substring(0, own.size() - token.size()),
                renamed);
        for (ByteString sealed : foreign) {
            assertDenied(
                    gateway,
                    Refusal.TASK_TOKEN,
                    () -> alice.call(
                            WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(),
                            RespondActivityTaskCompletedRequest.newBuilder()
                                    .setNamespace(TemporalClients.NAMESPACE)
                                    .setTaskToken(sealed)
                                    .build()));
            assertDenied(
                    gateway,
                    Refusal.TASK_TOKEN,
                    () -> alice.call(
                            WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                            RespondActivityTaskFailedRequest.newBuilder()
                                    .setNamespace(TemporalClients.NAMESPACE)
                                    .setTaskToken(sealed)
                                    .build()));
            assertDenied(
                    gateway,
                    Refusal.TASK_TOKEN,
                    () -> alice.call(
                            WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod(),
                            RecordActivityTaskHeartbeatRequest.newBuilder()
                                    .setNamespace(TemporalClients.NAMESPACE)
                                    .setTaskToken(sealed)
                                    .build()));
        }
    }

    @Test
    void heartbeatsOfOthersWorkersAreRefused() {
        assertDenied(
                gateway,
                Refusal.QUEUE,
                () -> alice.call(
                        WorkflowServiceGrpc.getRecordWorkerHeartbeatMethod(),
                        RecordWorkerHeartbeatRequest.newBuilder()
                                .setNamespace(TemporalClients.NAMESPACE)
                                .addWorkerHeartbeat(WorkerHeartbeat.newBuilder().setTaskQueue(TaskQueues.ordersOf(BOB)))
                                .build()));
    }
}
