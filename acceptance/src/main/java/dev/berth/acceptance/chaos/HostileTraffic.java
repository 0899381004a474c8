package dev.berth.acceptance.chaos;

import com.google.protobuf.ByteString;
import dev.berth.acceptance.security.HostileTask;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.CanceledFailureInfo;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What a hostile worker calls and answers, until it is closed. */
final class HostileTraffic implements AutoCloseable {
    private static final String NAMESPACE = "berth";
    /** Between two calls of one thread: the machine is also that of the other users. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Duration HEARTBEAT = Duration.ofSeconds(4);
    private static final int POLLS = 3;

    private static final List<String> ANSWERS = List.of(
            "null",
            "\"BUSY\"",
            "\"GARBAGE\"",
            "{}",
            "[]",
            "{\"outcome\":\"found\"}",
            "{\"outcome\":\"answered\",\"report\":{\"version\":9223372036854775807}}",
            "{\"epoch\":9223372036854775807}",
            "\"" + "x".repeat(100_000) + "\"",
            "{\"epo");

    private final Channel gateway;
    private final UserId user;
    private volatile boolean ended;

    HostileTraffic(HostileTask task, String user) throws IOException {
        this.gateway = task.channel();
        this.user = new UserId(user);
    }

    void start() {
        for (String queue : List.of(TaskQueues.ordersOf(user), TaskQueues.controlOf(user))) {
            for (int poll = 0; poll < POLLS; poll++) {
                repeat(PAUSE, () -> takeTask(queue));
            }
        }
        // Its heartbeat key keeps the worker from being taken for dead.
        repeat(HEARTBEAT, () -> call(GatewayMethods.RENEW_HEARTBEAT, heartbeat()));
        repeat(PAUSE, () -> call(GatewayMethods.ATTACHED, new AttachedRequest("hostile", 1)));
        repeat(PAUSE, () -> call(GatewayMethods.FOUND, new Empty()));
        repeat(PAUSE, () -> call(GatewayMethods.IDLE, new Empty()));
        repeat(PAUSE, () -> call(GatewayMethods.AWAIT_CLAIM, heartbeat()));
        repeat(PAUSE, () -> call(GatewayMethods.UPDATE_HEARTBEAT, heartbeat().activity()));
    }

    private void repeat(Duration pause, Runnable call) {
        Thread.startVirtualThread(() -> {
            while (!ended) {
                try {
                    call.run();
                } catch (StatusRuntimeException refusedOrUnavailable) {
                    // As most calls of a hostile worker are.
                }
                try {
                    Thread.sleep(pause);
                } catch (InterruptedException end) {
                    return;
                }
            }
        });
    }

    private static HeartbeatRequest heartbeat() {
        return new HeartbeatRequest(new ReportedActivity("", "", "", "", 0), "hostile", 1, "", "");
    }

    private <Q, A> void call(MethodDescriptor<Q, A> method, Q request) {
        ClientCalls.blockingUnaryCall(
                gateway, method, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request);
    }

    private WorkflowServiceBlockingStub temporal(long seconds) {
        return WorkflowServiceGrpc.newBlockingStub(gateway).withDeadlineAfter(seconds, TimeUnit.SECONDS);
    }

    private void takeTask(String queue) {
        PollActivityTaskQueueResponse task = temporal(60)
                .pollActivityTaskQueue(PollActivityTaskQueueRequest.newBuilder()
                        .setNamespace(NAMESPACE)
                        .setTaskQueue(TaskQueue.newBuilder().setName(queue))
                        .build());
        if (!task.getTaskToken().isEmpty()) {
            answer(task.getTaskToken());
        }
    }

    private void answer(ByteString token) {
        int choice = ThreadLocalRandom.current().nextInt(ANSWERS.size() + 1);
        if (choice == ANSWERS.size()) {
            temporal(10)
                    .respondActivityTaskFailed(RespondActivityTaskFailedRequest.newBuilder()
                            .setNamespace(NAMESPACE)
                            .setTaskToken(token)
                            .setFailure(Failure.newBuilder().setCanceledFailureInfo(CanceledFailureInfo.newBuilder()))
                            .build());
            return;
        }
        temporal(10)
                .respondActivityTaskCompleted(RespondActivityTaskCompletedRequest.newBuilder()
                        .setNamespace(NAMESPACE)
                        .setTaskToken(token)
                        .setResult(Payloads.newBuilder()
                                .addPayloads(Payload.newBuilder()
                                        .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                                        .setData(ByteString.copyFromUtf8(ANSWERS.get(choice)))))
                        .build());
    }

    @Override
    public void close() {
        ended = true;
    }
}
