package dev.berth.gateway;

import com.google.protobuf.ByteString;
import dev.berth.gateway.TaskTokenSeal.Task;
import dev.berth.temporal.TemporalClients;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.worker.WorkerProcess;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.workflowservice.v1.RecordActivityTaskHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.common.converter.DataConverterException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says of a task that was handed to it. Also of a superseded one: to refuse its
 * answer would turn an outcome that is known into one that is not.
 */
final class TaskAnswers {
    /** The one activity by whose result a lifecycle learns of a process. */
    static final String ATTACH = "attach";

    private final Upstream temporal;
    private final TaskTokenSeal seal;
    private final UserPayloads payloads;
    private final CurrentEpochs epochs;
    private final Refusals refusals;
    private final NamespaceGuard namespace;

    TaskAnswers(Upstream temporal, TaskTokenSeal seal, UserPayloads payloads, CurrentEpochs epochs, Refusals refusals) {
        this.temporal = temporal;
        this.seal = seal;
        this.payloads = payloads;
        this.epochs = epochs;
        this.refusals = refusals;
        this.namespace = new NamespaceGuard(temporal.namespace(), refusals);
    }

    /** Passes a result; the one of {@link #ATTACH} is stamped with what the gateway knows. */
    void complete(
            RespondActivityTaskCompletedRequest request, StreamObserver<RespondActivityTaskCompletedResponse> worker) {
        MethodDescriptor<?, ?> method = WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod();
        Caller caller = Caller.KEY.get();
        Task task;
        try {
            namespace.require(method, request.getNamespace());
            task = opened(method, caller, request.getTaskToken());
            if (request.getResult().getSerializedSize() > GatewayLimits.OWN_MESSAGE_BYTES) {
                throw refusals.refuse(method.getFullMethodName(), Refusal.ARGUMENT, "the result is too large");
            }
        } catch (StatusRuntimeException refused) {
            worker.onError(refused);
            return;
        }
        String identity = caller.identity(request.getIdentity());
        if (!task.activity().equals(ATTACH)) {
            complete(caller, identity, task, request.getResult(), worker);
            return;
        }
        Context context = Context.current();
        var _ = epochs.isSuperseded(caller.serving())
                .thenAccept(isSuperseded -> context.run(() -> {
                    Payloads stamped = isSuperseded ? null : stamped(caller, request.getResult());
                    if (stamped == null) {
                        failAttach(caller, identity, task, worker);
                    } else {
                        complete(caller, identity, task, stamped, worker);
                    }
                }));
    }

    private void complete(
            Caller caller,
            String identity,
            Task task,
            Payloads result,
            StreamObserver<RespondActivityTaskCompletedResponse> worker) {
        RespondActivityTaskCompletedRequest own = RespondActivityTaskCompletedRequest.newBuilder()
                .setNamespace(temporal.namespace())
                .setIdentity(identity)
                .setTaskToken(task.token())
                .setResult(payloads.encoded(caller.serving(), result))
                .build();
        temporal.call(WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(), own, Relay.of(worker));
    }

    /** Null for what is no process, or one that credentials cannot be sealed to. */
    private static @Nullable Payloads stamped(Caller caller, Payloads result) {
        try {
            WorkerProcess said = TemporalClients.DATA_CONVERTER.fromPayloads(
                    0, Optional.of(result), WorkerProcess.class, WorkerProcess.class);
            return said == null
                    ? null
                    : CallerProcess.of(caller, said.host(), said.pid())
                            .flatMap(TemporalClients.DATA_CONVERTER::toPayloads)
                            .orElse(null);
        } catch (DataConverterException | IllegalArgumentException noProcess) {
            return null;
        }
    }

    /** Retried: the process that is meant may answer next. */
    private void failAttach(
            Caller caller, String identity, Task task, StreamObserver<RespondActivityTaskCompletedResponse> worker) {
        Failure failure = WorkerFailures.of(FailureType.WORKER_FAILED, "The answer names no process that may serve");
        temporal.call(
                WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                failed(caller, identity, task, failure),
                new Relay<>(worker, _ -> RespondActivityTaskCompletedResponse.getDefaultInstance()));
    }

    RespondActivityTaskFailedRequest failed(Caller caller, RespondActivityTaskFailedRequest request) {
        MethodDescriptor<?, ?> method = WorkflowServiceGrpc.getRespondActivityTaskFailedMethod();
        namespace.require(method, request.getNamespace());
        return failed(
                caller,
                caller.identity(request.getIdentity()),
                opened(method, caller, request.getTaskToken()),
                WorkerFailures.of(request.getFailure()));
    }

    private RespondActivityTaskFailedRequest failed(Caller caller, String identity, Task task, Failure failure) {
        return RespondActivityTaskFailedRequest.newBuilder()
                .setNamespace(temporal.namespace())
                .setIdentity(identity)
                .setTaskToken(task.token())
                .setFailure(payloads.encoded(caller.serving(), failure))
                .build();
    }

    /** Without details: no workflow reads them. */
    RecordActivityTaskHeartbeatRequest heartbeat(Caller caller, RecordActivityTaskHeartbeatRequest request) {
        MethodDescriptor<?, ?> method = WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod();
        namespace.require(method, request.getNamespace());
        return RecordActivityTaskHeartbeatRequest.newBuilder()
                .setNamespace(temporal.namespace())
                .setIdentity(caller.identity(request.getIdentity()))
                .setTaskToken(opened(method, caller, request.getTaskToken()).token())
                .build();
    }

    private Task opened(MethodDescriptor<?, ?> method, Caller caller, ByteString sealed) {
        return seal.open(caller.serving(), sealed)
                .orElseThrow(() -> refusals.refuse(
                        method.getFullMethodName(), Refusal.TASK_TOKEN, "the task was not handed to this worker"));
    }
}
