package dev.berth.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RecordActivityTaskHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RecordActivityTaskHeartbeatResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedResponse;
import io.temporal.api.workflowservice.v1.ShutdownWorkerRequest;
import io.temporal.api.workflowservice.v1.ShutdownWorkerResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Holds polls until the test answers them, and records what else the gateway calls. */
final class FakeTemporal implements AutoCloseable {
    record Parked(PollActivityTaskQueueRequest request, StreamObserver<PollActivityTaskQueueResponse> answer) {
        void answer(String token, Payload... input) {
            answer.onNext(PollActivityTaskQueueResponse.newBuilder()
                    .setTaskToken(ByteString.copyFromUtf8(token))
                    .setInput(Payloads.newBuilder().addAllPayloads(List.of(input)))
                    .build());
            answer.onCompleted();
        }
    }

    final List<Parked> polls = new CopyOnWriteArrayList<>();
    final List<ShutdownWorkerRequest> shutDown = new CopyOnWriteArrayList<>();
    final List<RespondActivityTaskFailedRequest> failed = new CopyOnWriteArrayList<>();
    final List<RespondActivityTaskCompletedRequest> completed = new CopyOnWriteArrayList<>();
    final List<RecordActivityTaskHeartbeatRequest> heartbeats = new CopyOnWriteArrayList<>();
    private final Server server;
    private final WorkflowServiceStubs stubs;

    FakeTemporal() {
        try {
            server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .addService(new Service())
                    .build()
                    .start();
        } catch (IOException portTaken) {
            throw new UncheckedIOException(portTaken);
        }
        stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget("localhost:" + server.getPort())
                .build());
    }

    private final class Service extends WorkflowServiceGrpc.WorkflowServiceImplBase {
        @Override
        public void pollActivityTaskQueue(
                PollActivityTaskQueueRequest request, StreamObserver<PollActivityTaskQueueResponse> answer) {
            polls.add(new Parked(request, answer));
        }

        @Override
        public void shutdownWorker(ShutdownWorkerRequest request, StreamObserver<ShutdownWorkerResponse> answer) {
            shutDown.add(request);
            answer.onNext(ShutdownWorkerResponse.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public void respondActivityTaskCompleted(
                RespondActivityTaskCompletedRequest request,
                StreamObserver<RespondActivityTaskCompletedResponse> answer) {
            completed.add(request);
            answer.onNext(RespondActivityTaskCompletedResponse.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public void recordActivityTaskHeartbeat(
                RecordActivityTaskHeartbeatRequest request,
                StreamObserver<RecordActivityTaskHeartbeatResponse> answer) {
            heartbeats.add(request);
            answer.onNext(RecordActivityTaskHeartbeatResponse.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public void respondActivityTaskFailed(
                RespondActivityTaskFailedRequest request, StreamObserver<RespondActivityTaskFailedResponse> answer) {
            failed.add(request);
            answer.onNext(RespondActivityTaskFailedResponse.getDefaultInstance());
            answer.onCompleted();
        }
    }

    WorkflowServiceStubs stubs() {
        return stubs;
    }

    @Override
    public void close() {
        stubs.shutdownNow();
        server.shutdownNow();
    }
}
