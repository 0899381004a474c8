package dev.berth.gateway;

import com.google.protobuf.ByteString;
import dev.berth.gateway.TaskPolls.ParkedPoll;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.order.OrderPolicies;
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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls that wait at Temporal. A poll is never canceled there: a task that was just matched to it
 * would be lost until it times out ({@link OrderPolicies#HEARTBEAT}). Each poll has a worker
 * instance key of its own, and shutting that key down makes Temporal answer the poll, empty or with
 * the task.
 */
final class ActivityPolls {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityPolls.class);
    /** Longer than the SDK's, so that the answer of a poll whose caller left still arrives. */
    private static final Duration EXTRA = Duration.ofSeconds(10);
    /** The SDK's. */
    private static final Duration LONGEST_POLL = Duration.ofSeconds(70);

    private static final String POLL =
            WorkflowServiceGrpc.getPollActivityTaskQueueMethod().getFullMethodName();

    /** The most characters of a worker instance key: the SDK's is a UUID. */
    private static final int LONGEST_KEY = 256;

    private final Upstream temporal;
    private final TaskTokenSeal seal;
    private final UserPayloads payloads;
    private final Refusals refusals;
    /** By task; drops the least recently used. */
    private final Map<String, TaskPolls> byTask = new BoundedMap<>(GatewayLimits.TASKS);

    private final AtomicInteger parked = new AtomicInteger();

    ActivityPolls(Upstream temporal, TaskTokenSeal seal, UserPayloads payloads, Refusals refusals) {
        this.temporal = temporal;
        this.seal = seal;
        this.payloads = payloads;
        this.refusals = refusals;
    }

    private synchronized TaskPolls polls(String taskId) {
        TaskPolls known = byTask.remove(taskId);
        TaskPolls polls = known == null ? new TaskPolls() : known;
        byTask.put(taskId, polls);
        return polls;
    }

    /**
     * Polls, unless it is refused.
     *
     * @param request as it goes to Temporal, except for its worker instance key
     * @param refusal null when the worker may poll
     * @throws StatusRuntimeException when too many polls of the task wait
     */
    void poll(
            Caller caller,
            PollActivityTaskQueueRequest request,
            ServerCallStreamObserver<PollActivityTaskQueueResponse> worker,
            CompletionStage<@Nullable StatusRuntimeException> refusal) {
        String workerKey = request.getWorkerInstanceKey();
        requireKey(POLL, workerKey);
        TaskPolls polls = polls(caller.task().taskId());
        if (polls.isShutDown(workerKey)) {
            answer(worker, PollActivityTaskQueueResponse.getDefaultInstance());
            return;
        }
        String pollKey = UUID.randomUUID().toString();
        PollActivityTaskQueueRequest own =
                request.toBuilder().setWorkerInstanceKey(pollKey).build();
        ParkedPoll poll = new ParkedPoll(workerKey, own);
        if (!polls.park(poll)) {
            throw refusals.refuse(POLL, Refusal.QUANTITY, "too many polls of this task wait");
        }
        parked.incrementAndGet();
        worker.setOnCancelHandler(() -> shutDownParked(polls, poll));
        Deadline callers = Context.current().getDeadline();
        Deadline deadline = (callers == null ? Deadline.after(LONGEST_POLL.toMillis(), TimeUnit.MILLISECONDS) : callers)
                .offset(EXTRA.toMillis(), TimeUnit.MILLISECONDS);
        refusal.thenAccept(refused -> {
            if (refused != null || worker.isCancelled()) {
                remove(polls, poll);
                worker.onError(refused == null ? Status.CANCELLED.asRuntimeException() : refused);
            } else {
                temporal.callDetached(
                        WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                        own,
                        deadline,
                        new Answer(caller.serving(), polls, poll, worker));
            }
        });
    }

    private void remove(TaskPolls polls, ParkedPoll poll) {
        if (polls.remove(poll)) {
            parked.decrementAndGet();
        }
    }

    private void requireKey(String method, String workerKey) {
        if (workerKey.length() > LONGEST_KEY) {
            throw refusals.refuse(method, Refusal.ARGUMENT, "the worker instance key is too long");
        }
    }

    /**
     * Answers the polls of one SDK worker, now and later.
     *
     * @param taskId the caller's: two tasks may choose the same key
     */
    void shutDown(String taskId, String workerKey) {
        requireKey(WorkflowServiceGrpc.getShutdownWorkerMethod().getFullMethodName(), workerKey);
        polls(taskId).shutDown(workerKey).forEach(this::shutDown);
    }

    /** Whether polls of that SDK worker are answered at once. */
    boolean isShutDown(String taskId, String workerKey) {
        return polls(taskId).isShutDown(workerKey);
    }

    /** Answers all polls, so that this gateway can end without losing a task. */
    void shutDownAll() {
        all().forEach(this::shutDown);
    }

    private synchronized List<ParkedPoll> all() {
        return byTask.values().stream().flatMap(polls -> polls.all().stream()).toList();
    }

    int count() {
        return parked.get();
    }

    private void shutDownParked(TaskPolls polls, ParkedPoll poll) {
        if (polls.isParked(poll)) {
            shutDown(poll);
        }
    }

    private void shutDown(ParkedPoll poll) {
        temporal.send(
                WorkflowServiceGrpc.getShutdownWorkerMethod(),
                ShutdownWorkerRequest.newBuilder()
                        .setNamespace(temporal.namespace())
                        .setIdentity(poll.request().getIdentity())
                        .setReason("the worker left")
                        .setWorkerInstanceKey(poll.request().getWorkerInstanceKey())
                        .setTaskQueue(poll.request().getTaskQueue().getName())
                        .addTaskQueueTypes(TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY)
                        .build());
    }

    private final class Answer implements StreamObserver<PollActivityTaskQueueResponse> {
        private final Assignment holder;
        private final TaskPolls polls;
        private final ParkedPoll poll;
        private final ServerCallStreamObserver<PollActivityTaskQueueResponse> worker;

        Answer(
                Assignment holder,
                TaskPolls polls,
                ParkedPoll poll,
                ServerCallStreamObserver<PollActivityTaskQueueResponse> worker) {
            this.holder = holder;
            this.polls = polls;
            this.poll = poll;
            this.worker = worker;
        }

        @Override
        public void onNext(PollActivityTaskQueueResponse answer) {
            remove(polls, poll);
            ByteString token = answer.getTaskToken();
            if (!worker.isCancelled()) {
                answer(worker, token.isEmpty() ? answer : readable(answer));
            } else if (!token.isEmpty()) {
                failUndelivered(poll.request(), token, "The worker left before the task was delivered");
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
                failUndelivered(poll.request(), token, "The gateway could not read the task");
                return PollActivityTaskQueueResponse.getDefaultInstance();
            }
        }

        @Override
        public void onError(Throwable failure) {
            remove(polls, poll);
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
