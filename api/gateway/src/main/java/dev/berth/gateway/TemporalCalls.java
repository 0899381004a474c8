package dev.berth.gateway;

import dev.berth.workflows.TaskQueues;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.temporal.api.enums.v1.TaskQueueKind;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.worker.v1.WorkerHeartbeat;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceResponse;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RecordWorkerHeartbeatRequest;
import io.temporal.api.workflowservice.v1.ShutdownWorkerRequest;
import io.temporal.api.workflowservice.v1.ShutdownWorkerResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.List;
import java.util.Optional;

/**
 * The methods of Temporal that an activity worker needs. Each request is made anew from the fields
 * that a worker may choose: a field that is not copied here does not pass. A worker's activities
 * never end canceled, and a workflow would take that for an order that was never sent; so that
 * answer is not among the methods.
 */
final class TemporalCalls {
    private static final int MOST_HEARTBEATS = 20;

    private final Upstream temporal;
    private final TaskAnswers answers;
    private final ActivityPolls polls;
    private final CurrentEpochs epochs;
    private final Refusals refusals;
    private final NamespaceGuard ownNamespace;
    private final RecentAnswer<DescribeNamespaceResponse> namespace = new RecentAnswer<>(System::nanoTime);
    private final ServerServiceDefinition.Builder service;

    private TemporalCalls(
            Upstream temporal, TaskAnswers answers, ActivityPolls polls, CurrentEpochs epochs, Refusals refusals) {
        this.temporal = temporal;
        this.answers = answers;
        this.polls = polls;
        this.epochs = epochs;
        this.refusals = refusals;
        this.ownNamespace = new NamespaceGuard(temporal.namespace(), refusals);
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(WorkflowServiceGrpc.SERVICE_NAME);
        allowed().forEach(descriptor::addMethod);
        this.service = ServerServiceDefinition.builder(descriptor.build());
    }

    static List<MethodDescriptor<?, ?>> allowed() {
        return List.of(
                WorkflowServiceGrpc.getGetSystemInfoMethod(),
                WorkflowServiceGrpc.getGetClusterInfoMethod(),
                WorkflowServiceGrpc.getDescribeNamespaceMethod(),
                WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(),
                WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod(),
                WorkflowServiceGrpc.getRecordWorkerHeartbeatMethod(),
                WorkflowServiceGrpc.getShutdownWorkerMethod());
    }

    static ServerServiceDefinition service(
            Upstream temporal, TaskAnswers answers, ActivityPolls polls, CurrentEpochs epochs, Refusals refusals) {
        return new TemporalCalls(temporal, answers, polls, epochs, refusals).build();
    }

    /** Makes the request that goes to Temporal, or refuses it. */
    private interface Check<Q> {
        Q checked(Caller caller, Q request);
    }

    private ServerServiceDefinition build() {
        pass(WorkflowServiceGrpc.getGetSystemInfoMethod(), (_, request) -> request);
        pass(WorkflowServiceGrpc.getGetClusterInfoMethod(), (_, request) -> request);
        pass(WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(), answers::failed);
        pass(WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod(), answers::heartbeat);
        pass(WorkflowServiceGrpc.getRecordWorkerHeartbeatMethod(), this::workerHeartbeat);
        service.addMethod(
                WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(),
                ServerCalls.asyncUnaryCall(answers::complete));
        service.addMethod(WorkflowServiceGrpc.getDescribeNamespaceMethod(), ServerCalls.asyncUnaryCall(this::describe));
        service.addMethod(WorkflowServiceGrpc.getPollActivityTaskQueueMethod(), ServerCalls.asyncUnaryCall(this::poll));
        service.addMethod(WorkflowServiceGrpc.getShutdownWorkerMethod(), ServerCalls.asyncUnaryCall(this::shutDown));
        return service.build();
    }

    private <Q, A> void pass(MethodDescriptor<Q, A> method, Check<Q> check) {
        service.addMethod(method, ServerCalls.asyncUnaryCall((request, worker) -> {
            try {
                temporal.call(method, check.checked(Caller.KEY.get(), request), Relay.of(worker));
            } catch (StatusRuntimeException refused) {
                worker.onError(refused);
            }
        }));
    }

    private void poll(PollActivityTaskQueueRequest request, StreamObserver<PollActivityTaskQueueResponse> worker) {
        Caller caller = Caller.KEY.get();
        MethodDescriptor<?, ?> method = WorkflowServiceGrpc.getPollActivityTaskQueueMethod();
        try {
            ownNamespace.require(method, request.getNamespace());
            TaskQueue queue = requireOwn(method, caller, request.getTaskQueue());
            PollActivityTaskQueueRequest own = PollActivityTaskQueueRequest.newBuilder()
                    .setNamespace(temporal.namespace())
                    .setTaskQueue(queue)
                    .setIdentity(caller.identity(request.getIdentity()))
                    .setWorkerInstanceKey(request.getWorkerInstanceKey())
                    .build();
            polls.poll(
                    caller,
                    own,
                    (ServerCallStreamObserver<PollActivityTaskQueueResponse>) worker,
                    epochs.isSuperseded(caller.serving())
                            .thenApply(isSuperseded -> isSuperseded ? refusals.superseded(method) : null));
        } catch (StatusRuntimeException refused) {
            worker.onError(refused);
        }
    }

    /** Only ever ends the caller's own polls. */
    private void shutDown(ShutdownWorkerRequest request, StreamObserver<ShutdownWorkerResponse> worker) {
        try {
            ownNamespace.require(WorkflowServiceGrpc.getShutdownWorkerMethod(), request.getNamespace());
            polls.shutDown(Caller.KEY.get().task().taskId(), request.getWorkerInstanceKey());
            worker.onNext(ShutdownWorkerResponse.getDefaultInstance());
            worker.onCompleted();
        } catch (StatusRuntimeException refused) {
            worker.onError(refused);
        }
    }

    /** The SDK asks at the start of each worker, which a claim waits for twice. */
    private void describe(DescribeNamespaceRequest request, StreamObserver<DescribeNamespaceResponse> worker) {
        MethodDescriptor<DescribeNamespaceRequest, DescribeNamespaceResponse> method =
                WorkflowServiceGrpc.getDescribeNamespaceMethod();
        try {
            ownNamespace.require(method, request.getNamespace());
        } catch (StatusRuntimeException refused) {
            worker.onError(refused);
            return;
        }
        Optional<DescribeNamespaceResponse> recent = namespace.get();
        if (recent.isPresent()) {
            worker.onNext(recent.get());
            worker.onCompleted();
            return;
        }
        DescribeNamespaceRequest own = DescribeNamespaceRequest.newBuilder()
                .setNamespace(temporal.namespace())
                .build();
        temporal.call(method, own, namespace.remembering(Relay.of(worker)));
    }

    private RecordWorkerHeartbeatRequest workerHeartbeat(Caller caller, RecordWorkerHeartbeatRequest request) {
        MethodDescriptor<?, ?> method = WorkflowServiceGrpc.getRecordWorkerHeartbeatMethod();
        ownNamespace.require(method, request.getNamespace());
        if (request.getWorkerHeartbeatCount() > MOST_HEARTBEATS) {
            throw refusals.refuse(method.getFullMethodName(), Refusal.ARGUMENT, "too many workers in one process");
        }
        RecordWorkerHeartbeatRequest.Builder own = RecordWorkerHeartbeatRequest.newBuilder()
                .setNamespace(temporal.namespace())
                .setIdentity(caller.identity(request.getIdentity()));
        for (WorkerHeartbeat worker : request.getWorkerHeartbeatList()) {
            requireOwn(method, caller, worker.getTaskQueue());
            own.addWorkerHeartbeat(worker.toBuilder()
                    .setWorkerIdentity(caller.identity(worker.getWorkerIdentity()))
                    .setWorkerInstanceKey(caller.task().taskId() + "/" + worker.getWorkerInstanceKey()));
        }
        return own.build();
    }

    /** By its kind too: a sticky queue names the normal one that it belongs to. */
    private TaskQueue requireOwn(MethodDescriptor<?, ?> method, Caller caller, TaskQueue queue) {
        boolean normal = queue.getNormalName().isEmpty()
                && (queue.getKind() == TaskQueueKind.TASK_QUEUE_KIND_NORMAL
                        || queue.getKind() == TaskQueueKind.TASK_QUEUE_KIND_UNSPECIFIED);
        if (!normal) {
            throw refusals.refuse(method.getFullMethodName(), Refusal.QUEUE, "not a normal task queue");
        }
        requireOwn(method, caller, queue.getName());
        return TaskQueue.newBuilder()
                .setName(queue.getName())
                .setKind(TaskQueueKind.TASK_QUEUE_KIND_NORMAL)
                .build();
    }

    private void requireOwn(MethodDescriptor<?, ?> method, Caller caller, String queue) {
        Assignment serving = caller.serving();
        if (!queue.equals(TaskQueues.ordersOf(serving.userId()))
                && !queue.equals(TaskQueues.controlOf(serving.userId()))) {
            throw refusals.refuse(method.getFullMethodName(), Refusal.QUEUE, "a task queue of another user");
        }
    }
}
