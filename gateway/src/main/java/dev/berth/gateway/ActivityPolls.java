package dev.berth.gateway;

import com.google.protobuf.ByteString;
import dev.berth.workflows.FailureType;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.temporal.api.enums.v1.TaskQueueType;
import io.temporal.api.failure.v1.ApplicationFailureInfo;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.ShutdownWorkerRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls that wait at Temporal. A poll is never canceled there: a task that was just matched to it
 * would be lost until it times out. Each poll has a worker instance key of its own, and shutting
 * that key down makes Temporal answer the poll, empty or with the task.
 */
final class ActivityPolls {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityPolls.class);
    /** Longer than the SDK's, so that the answer of a poll whose caller left still arrives. */
    private static final Duration EXTRA = Duration.ofSeconds(10);
    /** The SDK's. */
    private static final Duration LONGEST_POLL = Duration.ofSeconds(70);

    private static final int REMEMBERED = 10_000;

    private final Upstream temporal;
    private final TaskTokenSeal seal;
    private final UserPayloads payloads;
    private final Map<String, ParkedPoll> parked = new ConcurrentHashMap<>();
    /** The SDK polls again after it shut its key down. */
    private final Set<WorkerKey> shutDown =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<WorkerKey, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            }));

    ActivityPolls(Upstream temporal, TaskTokenSeal seal, UserPayloads payloads) {
        this.temporal = temporal;
        this.seal = seal;
        this.payloads = payloads;
    }

    /** A worker instance key of a task: two tasks may choose the same. */
    record WorkerKey(String taskId, String key) {}

    private record ParkedPoll(WorkerKey worker, PollActivityTaskQueueRequest request) {}

    /**
     * Polls, unless it is refused.
     *
     * @param request as it goes to Temporal, except for its worker instance key
     * @param refusal null when the worker may poll
     */
    void poll(
            Caller caller,
            PollActivityTaskQueueRequest request,
            ServerCallStreamObserver<PollActivityTaskQueueResponse> worker,
            CompletionStage<@Nullable StatusRuntimeException> refusal) {
        WorkerKey workerKey = new WorkerKey(caller.task().taskId(), request.getWorkerInstanceKey());
        if (shutDown.contains(workerKey)) {
            answer(worker, PollActivityTaskQueueResponse.getDefaultInstance());
            return;
        }
        String pollKey = UUID.randomUUID().toString();
        PollActivityTaskQueueRequest own =
                request.toBuilder().setWorkerInstanceKey(pollKey).build();
        parked.put(pollKey, new ParkedPoll(workerKey, own));
        worker.setOnCancelHandler(() -> shutDown(pollKey));
        Deadline callers = Context.current().getDeadline();
        Deadline deadline = (callers == null ? Deadline.after(LONGEST_POLL.toMillis(), TimeUnit.MILLISECONDS) : callers)
                .offset(EXTRA.toMillis(), TimeUnit.MILLISECONDS);
        refusal.thenAccept(refused -> {
            if (refused != null || worker.isCancelled()) {
                parked.remove(pollKey);
                worker.onError(refused == null ? Status.CANCELLED.asRuntimeException() : refused);
            } else {
                temporal.callDetached(
                        WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                        own,
                        deadline,
                        new Answer(caller.serving(), pollKey, own, worker));
            }
        });
    }

    /** Answers the polls of one SDK worker, now and later. */
    void shutDown(WorkerKey worker) {
        shutDown.add(worker);
        parked.forEach((pollKey, poll) -> {
            if (poll.worker().equals(worker)) {
                shutDown(pollKey);
            }
        });
    }

    /** Answers all polls, so that this gateway can end without losing a task. */
    void shutDownAll() {
        parked.keySet().forEach(this::shutDown);
    }

    int count() {
        return parked.size();
    }

    private void shutDown(String pollKey) {
        ParkedPoll poll = parked.get(pollKey);
        if (poll != null) {
            temporal.send(
                    WorkflowServiceGrpc.getShutdownWorkerMethod(),
                    ShutdownWorkerRequest.newBuilder()
                            .setNamespace(temporal.namespace())
                            .setIdentity(poll.request().getIdentity())
                            .setReason("the worker left")
                            .setWorkerInstanceKey(pollKey)
                            .setTaskQueue(poll.request().getTaskQueue().getName())
                            .addTaskQueueTypes(TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY)
                            .build());
        }
    }

    private final class Answer implements StreamObserver<PollActivityTaskQueueResponse> {
        private final Assignment holder;
        private final String pollKey;
        private final PollActivityTaskQueueRequest request;
        private final ServerCallStreamObserver<PollActivityTaskQueueResponse> worker;

        Answer(
                Assignment holder,
                String pollKey,
                PollActivityTaskQueueRequest request,
                ServerCallStreamObserver<PollActivityTaskQueueResponse> worker) {
            this.holder = holder;
            this.pollKey = pollKey;
            this.request = request;
            this.worker = worker;
        }

        @Override
        public void onNext(PollActivityTaskQueueResponse answer) {
            parked.remove(pollKey);
            ByteString token = answer.getTaskToken();
            if (!worker.isCancelled()) {
                answer(worker, token.isEmpty() ? answer : readable(answer));
            } else if (!token.isEmpty()) {
                failUndelivered(request, token, "The worker left before the task was delivered");
            }
        }

        /** The task for the worker, or no task when it fails here. */
        private PollActivityTaskQueueResponse readable(PollActivityTaskQueueResponse task) {
            ByteString token = task.getTaskToken();
            try {
                return payloads.decoded(holder, task).toBuilder()
                        .setTaskToken(seal.seal(
                                holder,
                                new TaskTokenSeal.Task(task.getActivityType().getName(), token)))
                        .build();
            } catch (RuntimeException unreadable) {
                LOG.error("a task of {} cannot be read: {}", holder.userId(), unreadable.getMessage());
                failUndelivered(request, token, "The gateway could not read the task");
                return PollActivityTaskQueueResponse.getDefaultInstance();
            }
        }

        @Override
        public void onError(Throwable failure) {
            parked.remove(pollKey);
            if (!worker.isCancelled()) {
                worker.onError(Upstream.relayed(failure));
            }
        }

        @Override
        public void onCompleted() {}
    }

    /** Nothing of the task was written to the worker, so an order was surely not sent. */
    private void failUndelivered(PollActivityTaskQueueRequest request, ByteString token, String reason) {
        temporal.send(
                WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                RespondActivityTaskFailedRequest.newBuilder()
                        .setNamespace(temporal.namespace())
                        .setIdentity(request.getIdentity())
                        .setTaskToken(token)
                        .setFailure(Failure.newBuilder()
                                .setMessage(reason)
                                .setSource("gateway")
                                .setApplicationFailureInfo(
                                        ApplicationFailureInfo.newBuilder().setType(FailureType.UNDELIVERED.code())))
                        .build());
    }

    private static <A> void answer(StreamObserver<A> worker, A answer) {
        worker.onNext(answer);
        worker.onCompleted();
    }
}
