package dev.berth.rest.order;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.rest.Problem;
import dev.berth.rest.RequestLogContext;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.worker.WorkerNeed;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Submits orders: looks for earlier ones, admits them, and starts their workflows. */
@Component
class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final Orders orders;
    private final OrderWorkflowClient workflows;
    private final OrderReadModel readModel;
    private final AccountStore accounts;
    private final OrderChangeListener changes;
    private final TemporalWorkerRequests workers;
    private final Admission admission;
    private final WaitingOrders waiting;

    Submissions(
            Orders orders,
            OrderWorkflowClient workflows,
            OrderReadModel readModel,
            AccountStore accounts,
            OrderChangeListener changes,
            TemporalWorkerRequests workers,
            Admission admission,
            WaitingOrders waiting) {
        this.orders = orders;
        this.workflows = workflows;
        this.readModel = readModel;
        this.accounts = accounts;
        this.changes = changes;
        this.workers = workers;
        this.admission = admission;
        this.waiting = waiting;
    }

    /**
     * The result of a submission.
     *
     * @param isNew false when an equal order was submitted before
     */
    record Submission(OrderState order, boolean isNew) {}

    /**
     * Starts the order once.
     *
     * @param timeout how long to wait for the venue's answer; zero does not wait
     * @throws Problem.Refusal when the order is not admitted, another order has its id, or its
     *     account has no credentials
     */
    Submission submit(OrderRequest request, Duration timeout) throws InterruptedException {
        RequestLogContext.setOrder(request.clientOrderId());
        try (Admission.Entry entry = admission.admit(request)) {
            Optional<Submission> earlier = earlier(request, entry);
            return earlier.isPresent() ? earlier.get() : started(request, entry, timeout);
        }
    }

    /**
     * Submits all of these, or none when one is refused.
     *
     * @param each gets the result of each order, once all are admitted; its start may still fail
     * @return why some are refused, by order; empty when all were admitted
     */
    Map<OrderRequest, Problem.Refusal> submitAll(List<OrderRequest> requests, SubmissionListener each)
            throws InterruptedException {
        Map<OrderRequest, Admission.Entry> entries = new LinkedHashMap<>();
        Map<OrderRequest, Submission> submitted = new HashMap<>();
        Map<OrderRequest, Problem.Refusal> refused = new LinkedHashMap<>();
        try {
            for (OrderRequest request : requests) {
                try {
                    Admission.Entry entry = admission.admit(request);
                    entries.put(request, entry);
                    earlier(request, entry).ifPresent(earlier -> submitted.put(request, earlier));
                } catch (Problem.Refusal refusal) {
                    refused.put(request, refusal);
                    if (refusal.problem() == Problem.UNAVAILABLE) {
                        // Each of the others would wait for the same server.
                        break;
                    }
                }
            }
            if (refused.isEmpty()) {
                for (Map.Entry<OrderRequest, Admission.Entry> admitted : entries.entrySet()) {
                    Submission earlier = submitted.get(admitted.getKey());
                    each.submit(
                            admitted.getKey(),
                            () -> earlier != null
                                    ? earlier
                                    : started(admitted.getKey(), admitted.getValue(), Duration.ZERO));
                }
            }
            return refused;
        } finally {
            entries.values().forEach(Admission.Entry::close);
        }
    }

    /** A submission that is to be made now. */
    interface PendingSubmission {
        /** As {@link Submissions#submit}. */
        Submission make() throws InterruptedException;
    }

    /** Takes one submission after the other. */
    interface SubmissionListener {
        void submit(OrderRequest request, PendingSubmission submission) throws InterruptedException;
    }

    /**
     * The order that was submitted under this id before; empty when this one may be started.
     *
     * @throws Problem.Refusal when it may not
     */
    private Optional<Submission> earlier(OrderRequest request, Admission.Entry entry) {
        if (entry.objection().isPresent()) {
            return Optional.of(findStarted(request)
                    .map(earlier -> repeated(request, earlier))
                    .orElseThrow(() -> admission.refusal(entry.objection().get())));
        }
        OrderReadModel.BeforeSubmission recorded = recorded(request);
        if (recorded.earlier().isPresent()) {
            OrderState earlier = recorded.earlier().get();
            OrderState now =
                    earlier.status().isFinal() ? earlier : orders.current(request.userId(), request.clientOrderId());
            return Optional.of(repeated(request, now, entry));
        }
        if (recorded.archive() > 0) {
            throw Orders.archived(request.clientOrderId(), recorded.archive());
        }
        if (!recorded.hasAccount()) {
            throw Problem.UNKNOWN_ACCOUNT.because(
                    "Account " + request.account() + " has no credentials. Name one of your own accounts.");
        }
        return Optional.empty();
    }

    private Submission started(OrderRequest request, Admission.Entry entry, Duration timeout)
            throws InterruptedException {
        try (OrderChangeListener.PendingAnswer answer = changes.expect(request)) {
            if (!start(request, entry)) {
                return repeated(request, orders.current(request.userId(), request.clientOrderId()), entry);
            }
            if (!entry.hasWorker()) {
                Thread.ofVirtual()
                        .start(() -> workers.ensure(
                                request.userId(), new WorkerNeed(request.account(), WorkerNeed.Why.ORDER)));
            }
            if (timeout.isZero()) {
                waiting.listLater(OrderState.accepted(request));
                return new Submission(OrderState.accepted(request), true);
            }
            OrderState order = answer.await(timeout).orElseGet(() -> afterWaiting(request));
            if (order.status().isUnanswered()) {
                waiting.listLater(OrderState.accepted(request));
            } else {
                entry.answered();
            }
            return new Submission(order, true);
        }
    }

    /** The order is accepted, even if its state cannot be read. */
    private OrderState afterWaiting(OrderRequest request) {
        try {
            return orders.current(request.userId(), request.clientOrderId());
        } catch (WorkflowException | StatusRuntimeException | Problem.Refusal unknown) {
            LOG.warn("order accepted, but its state cannot be read: {}", unknown.getMessage());
            return OrderState.accepted(request);
        }
    }

    /** If the outcome is unknown, the order keeps its place until the next correction. */
    private boolean start(OrderRequest request, Admission.Entry entry) {
        entry.keep();
        try {
            return workflows.start(request, entry.hasWorker());
        } catch (WorkflowServiceException | StatusRuntimeException failed) {
            if (OrderWorkflowClient.isStartRefused(failed)) {
                entry.release();
                throw failed;
            }
            LOG.warn("order may or may not be accepted, Temporal does not answer: {}", failed.getMessage());
            throw Problem.UNAVAILABLE.because(
                    "Temporal does not answer, and may have accepted the order. Submit it again"
                            + " with the clientOrderId " + request.clientOrderId() + "; it counts once.");
        }
    }

    /** An accepted order stays accepted, regardless of later switches and limits. */
    private Optional<OrderState> findStarted(OrderRequest request) {
        Optional<OrderState> earlier = orders.recorded(request.userId(), request.clientOrderId());
        return earlier.isPresent() && earlier.get().status().isFinal()
                ? earlier
                : workflows
                        .state(request.userId(), request.clientOrderId())
                        .or(() -> earlier)
                        .map(changes::withAnswer);
    }

    private static Submission repeated(OrderRequest request, OrderState earlier, Admission.Entry entry) {
        if (earlier.status().isUnanswered()) {
            entry.keep();
        } else {
            entry.release();
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

    /**
     * Without PostgreSQL the order counts as new and its account as known: Temporal refuses a used
     * id, and the worker needs the credentials to open a session.
     */
    private OrderReadModel.BeforeSubmission recorded(OrderRequest request) {
        try {
            return readModel.beforeSubmission(request, accounts.isDefault(request.account()));
        } catch (DataAccessException unavailable) {
            LOG.warn("order accepted without a look-up, PostgreSQL does not answer: {}", unavailable.getMessage());
            return new OrderReadModel.BeforeSubmission(Optional.empty(), 0, true);
        }
    }
}
