package dev.berth.acceptance.security;

import com.google.protobuf.ByteString;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.grpc.Channel;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.operatorservice.v1.DeleteNamespaceRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.QueryWorkflowRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedByIdRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.SignalWithStartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.UpdateWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Temporal's calls by which a worker could harm another user. */
public record HostileCalls(Channel channel, UserId victim, String order) {
    private static final String NAMESPACE = "berth";

    /**
     * One way to do harm.
     *
     * @param what for the message of a failed test
     */
    public record Attempt(String what, Runnable call) {}

    public List<Attempt> all() {
        List<Attempt> all = new ArrayList<>();
        all.addAll(polls());
        all.addAll(lifecycleSignals());
        all.addAll(orders());
        all.addAll(reads());
        return all;
    }

    private WorkflowServiceBlockingStub temporal() {
        return WorkflowServiceGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
    }

    /** Queues of the victim, one also by its partition, and those of the orchestrator. */
    private List<Attempt> polls() {
        String orders = TaskQueues.ordersOf(victim);
        List<Attempt> all = new ArrayList<>();
        for (String queue : List.of(
                orders,
                TaskQueues.controlOf(victim),
                "/_sys/" + orders + "/1",
                TaskQueues.ORDERS,
                TaskQueues.FLEET,
                TaskQueues.LAUNCH)) {
            all.add(new Attempt(
                    "poll activities of " + queue,
                    () -> temporal()
                            .pollActivityTaskQueue(PollActivityTaskQueueRequest.newBuilder()
                                    .setNamespace(NAMESPACE)
                                    .setTaskQueue(TaskQueue.newBuilder().setName(queue))
                                    .build())));
            all.add(new Attempt(
                    "poll workflow tasks of " + queue,
                    () -> temporal()
                            .pollWorkflowTaskQueue(PollWorkflowTaskQueueRequest.newBuilder()
                                    .setNamespace(NAMESPACE)
                                    .setTaskQueue(TaskQueue.newBuilder().setName(queue))
                                    .build())));
        }
        return all;
    }

    /** Forged proof of death, another's receipt of a claim, and what stops a worker. */
    private List<Attempt> lifecycleSignals() {
        List<Attempt> all = new ArrayList<>();
        for (String signal : List.of(
                "taskStopped",
                "heartbeatExpired",
                "workerFound",
                "attached",
                "idle",
                "stop",
                "suspend",
                "fleetSwitched")) {
            all.add(signal(WorkflowIds.worker(victim), signal));
        }
        all.add(signal(WorkflowIds.POOL, "taskStopped"));
        all.add(new Attempt(
                "signal-with-start a lifecycle",
                () -> temporal()
                        .signalWithStartWorkflowExecution(SignalWithStartWorkflowExecutionRequest.newBuilder()
                                .setNamespace(NAMESPACE)
                                .setWorkflowId(WorkflowIds.worker(victim))
                                .setSignalName("workerFound")
                                .build())));
        all.add(new Attempt(
                "terminate a lifecycle",
                () -> temporal()
                        .terminateWorkflowExecution(TerminateWorkflowExecutionRequest.newBuilder()
                                .setNamespace(NAMESPACE)
                                .setWorkflowExecution(lifecycle())
                                .build())));
        all.add(new Attempt(
                "delete the namespace",
                () -> OperatorServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .deleteNamespace(DeleteNamespaceRequest.newBuilder()
                                .setNamespace(NAMESPACE)
                                .build())));
        return all;
    }

    private Attempt signal(String workflowId, String signal) {
        return new Attempt(
                "signal " + signal + " to " + workflowId,
                () -> temporal()
                        .signalWorkflowExecution(SignalWorkflowExecutionRequest.newBuilder()
                                .setNamespace(NAMESPACE)
                                .setWorkflowExecution(execution(workflowId))
                                .setSignalName(signal)
                                .build()));
    }

    private List<Attempt> orders() {
        return List.of(
                signal(order, "report"),
                signal(order, "accountRefused"),
                new Attempt(
                        "start an order",
                        () -> temporal()
                                .startWorkflowExecution(StartWorkflowExecutionRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setWorkflowId("order:" + victim + ":forged")
                                        .setWorkflowType(
                                                WorkflowType.newBuilder().setName("Order"))
                                        .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ORDERS))
                                        .build())),
                new Attempt(
                        "cancel by update",
                        () -> temporal()
                                .updateWorkflowExecution(UpdateWorkflowExecutionRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setWorkflowExecution(execution(order))
                                        .build())),
                new Attempt(
                        "reset an order",
                        () -> temporal()
                                .resetWorkflowExecution(ResetWorkflowExecutionRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setWorkflowExecution(execution(order))
                                        .build())),
                new Attempt(
                        "answer an activity by its id",
                        () -> temporal()
                                .respondActivityTaskCompletedById(RespondActivityTaskCompletedByIdRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setWorkflowId(order)
                                        .setActivityId("1")
                                        .build())),
                new Attempt(
                        "answer an activity by an invented token",
                        () -> temporal()
                                .respondActivityTaskCompleted(RespondActivityTaskCompletedRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setTaskToken(ByteString.copyFromUtf8(order))
                                        .build())));
    }

    private List<Attempt> reads() {
        return List.of(
                new Attempt(
                        "read a history",
                        () -> temporal()
                                .getWorkflowExecutionHistory(GetWorkflowExecutionHistoryRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setExecution(execution(order))
                                        .build())),
                new Attempt(
                        "describe an order",
                        () -> temporal()
                                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setExecution(execution(order))
                                        .build())),
                new Attempt(
                        "list all workflows",
                        () -> temporal()
                                .listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .build())),
                new Attempt(
                        "query a lifecycle",
                        () -> temporal()
                                .queryWorkflow(QueryWorkflowRequest.newBuilder()
                                        .setNamespace(NAMESPACE)
                                        .setExecution(lifecycle())
                                        .build())));
    }

    private WorkflowExecution lifecycle() {
        return execution(WorkflowIds.worker(victim));
    }

    private static WorkflowExecution execution(String workflowId) {
        return WorkflowExecution.newBuilder().setWorkflowId(workflowId).build();
    }
}
