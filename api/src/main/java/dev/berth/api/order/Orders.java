package dev.berth.api.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.SubmissionRead;
import dev.berth.api.Problem;
import dev.berth.api.RequestLogContext;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Replacement;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** What a user can do with orders. */
@Component
class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);
    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(5);

    private final OrderWorkflows workflows;
    private final OrderReadModel readModel;
    private final SubmissionRead submissions;
    private final OrderNews news;
    private final WorkerRequests workers;
    private final Admission admission;

    Orders(
            OrderWorkflows workflows,
            OrderReadModel readModel,
            SubmissionRead submissions,
            OrderNews news,
            WorkerRequests workers,
            Admission admission) {
        this.workflows = workflows;
        this.readModel = readModel;
        this.submissions = submissions;
        this.news = news;
        this.workers = workers;
        this.admission = admission;
    }

    /**
     * What became of a submission.
     *
     * @param isNew false when an equal order was submitted before
     */
    record Submission(OrderState order, boolean isNew) {}

    /**
     * Starts the order, once.
     *
     * @param patience how long to wait for the venue's answer; zero does not wait
     * @throws Problem.Refusal when it is not let in, the id belongs to an order with other content, or its account has
     *     no credentials
     */
    Submission submit(OrderRequest request, Duration patience) throws InterruptedException {
        RequestLogContext.about(request.clientOrderId());
        try (Admission.Entry entry = admission.admit(request)) {
            if (entry.objection().isPresent()) {
                return startedBefore(request)
                        .map(earlier -> repeated(request, earlier))
                        .orElseThrow(() -> admission.refusal(entry.objection().get()));
            }
            SubmissionRead.Answer recorded = recorded(request);
            if (recorded.earlier().isPresent()) {
                OrderState earlier = recorded.earlier().get();
                OrderState now =
                        earlier.status().isFinal() ? earlier : current(request.userId(), request.clientOrderId());
                return repeated(request, now, entry);
            }
            if (!recorded.hasAccount()) {
                throw Problem.UNKNOWN_ACCOUNT.because(
                        "Account " + request.account() + " has no credentials. Name one of your own accounts.");
            }
            return started(request, entry, patience);
        }
    }

    private Submission started(OrderRequest request, Admission.Entry entry, Duration patience)
            throws InterruptedException {
        try (OrderNews.Waiting answer = news.expect(request)) {
            if (!start(request, entry)) {
                return repeated(request, current(request.userId(), request.clientOrderId()), entry);
            }
            if (!entry.hasWorker()) {
                Thread.ofVirtual()
                        .start(() -> workers.ensure(
                                request.userId(), new WorkerNeed(request.account(), WorkerNeed.Why.ORDER)));
            }
            if (patience.isZero()) {
                return new Submission(OrderState.accepted(request), true);
            }
            return new Submission(answer.await(patience).orElseGet(() -> afterWaiting(request)), true);
        }
    }

    /** It is accepted, whether or not anybody can say how far it is. */
    private OrderState afterWaiting(OrderRequest request) {
        try {
            return current(request.userId(), request.clientOrderId());
        } catch (WorkflowException | StatusRuntimeException | Problem.Refusal notTold) {
            LOG.warn("an order is accepted, and nobody says how far it is: {}", notTold.getMessage());
            return OrderState.accepted(request);
        }
    }

    /** A start that may have happened keeps its place until the next correction knows. */
    private boolean start(OrderRequest request, Admission.Entry entry) {
        entry.keep();
        try {
            return workflows.start(request);
        } catch (WorkflowServiceException | StatusRuntimeException failed) {
            if (OrderWorkflows.isSurelyNotStarted(failed)) {
                entry.leave();
                throw failed;
            }
            LOG.warn("an order may or may not be accepted, Temporal does not answer: {}", failed.getMessage());
            throw Problem.UNAVAILABLE.because(
                    "Temporal does not answer, and may have accepted the order. Submit it again"
                            + " with the clientOrderId " + request.clientOrderId() + ": then it counts once.");
        }
    }

    /** What was accepted stays accepted, whatever switches and limits say now. */
    private Optional<OrderState> startedBefore(OrderRequest request) {
        Optional<OrderState> earlier = recorded(request.userId(), request.clientOrderId());
        return earlier.isPresent() && earlier.get().status().isFinal()
                ? earlier
                : workflows
                        .find(request.userId(), request.clientOrderId())
                        .or(() -> earlier)
                        .map(news::orAnswered);
    }

    private static Submission repeated(OrderRequest request, OrderState earlier, Admission.Entry entry) {
        if (earlier.status().isUnanswered()) {
            entry.keep();
        } else {
            entry.leave();
        }
        return repeated(request, earlier);
    }

    private static Submission repeated(OrderRequest request, OrderState earlier) {
        if (!earlier.request().contentHash().equals(request.contentHash())) {
            throw Problem.DUPLICATE_CLIENT_ORDER_ID.because("Client order id " + request.clientOrderId()
                    + " was used for another order. Use a new id, or repeat that order as it was.");
        }
        return new Submission(earlier, false);
    }

    /** The order as it is now: from the read model once the venue has answered, before that from its workflow. */
    OrderState current(UserId userId, ClientOrderId id) {
        Optional<OrderState> recorded = recorded(userId, id);
        if (recorded.isPresent() && recorded.get().status().isFinal()) {
            return recorded.get();
        }
        return workflows
                .find(userId, id)
                .or(() -> recorded)
                .map(news::orAnswered)
                .orElseThrow(() -> Problem.ORDER_NOT_FOUND.because("You have no order with the id " + id + "."));
    }

    /**
     * Cancels.
     *
     * @return the order after it; one that was over already, as it ended
     */
    OrderState cancel(UserId userId, ClientOrderId id) throws InterruptedException {
        OrderState before = current(userId, id);
        if (before.status().isFinal()) {
            return before;
        }
        return workflows.cancel(userId, id, CHANGE_PATIENCE).orElseGet(() -> current(userId, id));
    }

    /**
     * What became of a replacement.
     *
     * @param settled false while it is on its way; true once it is done, or never will be
     */
    record Change(OrderState order, boolean settled) {}

    /**
     * Replaces quantity or price. Too late is an answer: the order as it is.
     *
     * @throws Problem.Refusal when the order can not have such terms
     */
    Change replace(UserId userId, ClientOrderId id, NewTerms terms) throws InterruptedException {
        OrderState before = current(userId, id);
        Replacement change = terms.of(before.request());
        if (before.status().isFinal()) {
            return new Change(before, true);
        }
        return workflows
                .replace(userId, id, change, CHANGE_PATIENCE)
                .map(order -> new Change(order, order.status() != OrderStatus.PENDING_REPLACE))
                .orElseGet(() -> {
                    OrderState now = current(userId, id);
                    return new Change(now, now.status().isFinal());
                });
    }

    /**
     * Without PostgreSQL the order is taken as new and its account as known: Temporal refuses an id that it has, and
     * the worker's session is what needs credentials.
     */
    private SubmissionRead.Answer recorded(OrderRequest request) {
        try {
            return submissions.of(request);
        } catch (DataAccessException away) {
            LOG.warn("an order is accepted unseen, PostgreSQL is away: {}", away.getMessage());
            return new SubmissionRead.Answer(Optional.empty(), true);
        }
    }

    /** Without PostgreSQL, Temporal's own retention stands alone. */
    private Optional<OrderState> recorded(UserId userId, ClientOrderId id) {
        try {
            return readModel.find(userId, id);
        } catch (DataAccessException away) {
            LOG.warn("the read model is away: {}", away.getMessage());
            return Optional.empty();
        }
    }
}
