package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one task can take from the others. */
@Tag("X32")
@Tag("X16")
class TaskLimitsTest {
    private static final ReportedActivity ACTIVITY = new ReportedActivity("", "", "", "", 0);
    private static final HeartbeatRequest RENEWAL =
            new HeartbeatRequest(ACTIVITY, "host-1", 4711, "1.2.3", "2026-03-02T12:00:00Z");

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask alice;
    private TestTask bob;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        alice = gateway.userTask(ALICE, 7);
        bob = gateway.userTask(BOB, 3);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private static Future<PollActivityTaskQueueResponse> poll(TestTask task, UserId userId) {
        return ClientCalls.futureUnaryCall(
                task.channel().newCall(WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), CallOptions.DEFAULT),
                pollOf(userId, "worker"));
    }

    private static PollActivityTaskQueueRequest pollOf(UserId userId, String workerKey) {
        return PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(TemporalClients.NAMESPACE)
                .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ordersOf(userId)))
                .setWorkerInstanceKey(workerKey)
                .build();
    }

    private void assertPollRefused() {
        assertRefused(
                gateway,
                Refusal.QUANTITY,
                Code.RESOURCE_EXHAUSTED,
                () -> alice.call(WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), pollOf(ALICE, "worker")));
    }

    @DisplayName("A task parks 8 polls; those whose caller left count until Temporal has answered them")
    @Test
    void parkedPollsAreBounded() {
        List<Future<PollActivityTaskQueueResponse>> polls = new ArrayList<>();
        for (int number = 0; number < GatewayLimits.PARKED_POLLS_PER_TASK; number++) {
            polls.add(poll(alice, ALICE));
        }
        await().until(() -> temporal.polls.size() == polls.size());
        assertPollRefused();
        polls.forEach(poll -> poll.cancel(true));
        await().until(() -> temporal.shutDown.size() == polls.size());
        assertPollRefused();

        var _ = poll(bob, BOB);
        await().until(() -> temporal.polls.size() == polls.size() + 1);
        temporal.polls.getFirst().answer("");
        await().until(() -> gateway.server().parkedPolls() == polls.size());
        var _ = poll(alice, ALICE);
        await().until(() -> temporal.polls.size() == polls.size() + 2);
    }

    @DisplayName("A task's calls of one kind have a rate; its lease and other tasks are not touched by it")
    @Test
    void floodOfOneKindLeavesOthers() {
        redis.commands().set("worker:epoch:alice", "7");
        // At once is refused, too: what matters is that most are.
        List<Future<Empty>> calls = new ArrayList<>();
        for (int number = 0; number < 20 * CallKind.METADATA.burst(); number++) {
            calls.add(ClientCalls.futureUnaryCall(
                    alice.channel().newCall(GatewayMethods.UPDATE_HEARTBEAT, CallOptions.DEFAULT), ACTIVITY));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> calls.stream().allMatch(Future::isDone));
        assertThat(calls)
                .filteredOn(call -> call.state() == Future.State.SUCCESS)
                .hasSizeLessThan(calls.size() / 2);
        assertThat(gateway.refused).allMatch(refused -> refused.reason() == Refusal.QUANTITY);
        assertThat(alice.call(GatewayMethods.RENEW_HEARTBEAT, RENEWAL).verdict())
                .isEqualTo(HeartbeatVerdict.MINE);
        bob.call(GatewayMethods.UPDATE_HEARTBEAT, ACTIVITY);
    }

    @DisplayName("Requests of a task that never end hold at most 16 MiB")
    @Test
    void unfinishedRequestsAreBounded() {
        RespondActivityTaskCompletedRequest large = RespondActivityTaskCompletedRequest.newBuilder()
                .setTaskToken(ByteString.copyFrom(new byte[7 << 20]))
                .build();
        List<UnfinishedCall> calls = new ArrayList<>();
        for (int number = 0; number < 5; number++) {
            calls.add(UnfinishedCall.start(
                    alice.channel(), WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(), large));
        }
        await().untilAsserted(() -> assertThat(calls)
                .filteredOn(call -> call.code() == Code.RESOURCE_EXHAUSTED)
                .hasSizeGreaterThanOrEqualTo(3));
        bob.call(GatewayMethods.UPDATE_HEARTBEAT, ACTIVITY);
    }

    @DisplayName("Of more than 8 connections of a task the oldest is closed")
    @Test
    void connectionsOfTaskAreBounded() {
        List<ManagedChannel> connections = new ArrayList<>();
        for (int number = 0; number <= GatewayLimits.CONNECTIONS_PER_TASK; number++) {
            ManagedChannel connection = alice.connect();
            connections.add(connection);
            ClientCalls.blockingUnaryCall(
                    ClientInterceptors.intercept(
                            connection, MetadataUtils.newAttachHeadersInterceptor(alice.headers())),
                    GatewayMethods.REMOVE_HEARTBEAT,
                    CallOptions.DEFAULT,
                    new Empty());
        }
        await().until(() -> connections.getFirst().getState(false) != ConnectivityState.READY);
        assertThat(connections.subList(1, connections.size()))
                .allMatch(connection -> connection.getState(false) == ConnectivityState.READY);
        bob.call(GatewayMethods.UPDATE_HEARTBEAT, ACTIVITY);
    }

    @Test
    void compressedRequestIsRefused() {
        assertThat(Refusing.statusOf(() -> ClientCalls.blockingUnaryCall(
                                alice.channel(),
                                GatewayMethods.UPDATE_HEARTBEAT,
                                CallOptions.DEFAULT.withCompression("gzip"),
                                ACTIVITY))
                        .getCode())
                .isEqualTo(Code.UNIMPLEMENTED);
    }

    @Test
    void longWorkerKeyIsRefused() {
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> alice.call(
                        WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), pollOf(ALICE, "x".repeat(1_000))));
    }

    @DisplayName("A task that shuts many keys down makes the gateway forget none of another task")
    @Test
    void shutDownKeysAreRememberedPerTask() {
        Refusals refusals = new Refusals((_, _) -> {});
        ActivityPolls polls = new ActivityPolls(
                new Upstream(temporal.stubs().getRawChannel(), TemporalClients.NAMESPACE),
                new TaskTokenSeal(new GatewayKey(new byte[32])),
                new UserPayloads(TestPayloadKeys.ALL),
                refusals);
        polls.shutDown("alice", "key");
        for (int number = 0; number < 100_000; number++) {
            polls.shutDown("mallory", "key-" + number);
        }
        assertThat(polls.isShutDown("alice", "key")).isTrue();
        assertThat(polls.isShutDown("mallory", "key")).isFalse();
    }
}
