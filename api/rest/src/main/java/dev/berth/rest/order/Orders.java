package dev.berth.rest.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.retention.ArchiveFolder;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.rest.Problem;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderResolution;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Replacement;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Reads, replaces and cancels orders. */
@Component
public class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);
    private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);

    private final OrderWorkflowClient workflows;
    private final OrderReadModel readModel;
    private final OrderChangeListener changes;
    private final TemporalWorkerRequests workers;

    Orders(
            OrderWorkflowClient workflows,
            OrderReadModel readModel,
            OrderChangeListener changes,
            TemporalWorkerRequests workers) {
        this.workflows = workflows;
        this.readModel = readModel;
        this.changes = changes;
        this.workers = workers;
    }

    /** The current order: from the read model if it is final, else from its workflow. */
    OrderState current(UserId userId, ClientOrderId id) {
        Optional<OrderState> recorded = recorded(userId, id);
        if (recorded.isPresent() && recorded.get().status().isFinal()) {
            return recorded.get();
        }
        if (recorded.isEmpty()) {
            archive(userId, id).ifPresent(file -> {
                throw archived(id, file);
            });
        }
        return workflows
                .state(userId, id)
                .or(() -> recorded)
                .map(changes::withAnswer)
                .orElseThrow(() -> Problem.ORDER_NOT_FOUND.because("You have no order with the id " + id + "."));
    }

    static Problem.Refusal archived(ClientOrderId id, long file) {
        return Problem.ORDER_ARCHIVED.because("Order " + id + " was closed long ago, and is in "
                + ArchiveFolder.name(file) + " of the archive. Ask an operator for it. A new order needs a new id.");
    }

    /**
     * Cancels an order.
     *
     * @return the order afterwards; a final order is unchanged
     */
    OrderState cancel(UserId userId, ClientOrderId id) throws InterruptedException {
        Optional<OrderState> recorded = recorded(userId, id);
        if (recorded.isPresent()) {
            if (recorded.get().status().isFinal()) {
                return recorded.get();
            }
            workers.ensureUnlessAlive(userId, recorded.get().request().account());
        }
        return workflows.cancel(userId, id, CHANGE_TIMEOUT).orElseGet(() -> current(userId, id));
    }

    /**
     * The result of a replacement.
     *
     * @param settled whether the replacement has succeeded or failed
     */
    record Change(OrderState order, boolean settled) {}

    /**
     * Replaces quantity or price. Returns the unchanged order when it is too late.
     *
     * @throws Problem.Refusal when the terms are not valid for the order
     */
    Change replace(UserId userId, ClientOrderId id, NewTerms terms) throws InterruptedException {
        OrderState order = current(userId, id);
        Replacement change = terms.of(order.request());
        if (order.status().isFinal()) {
            return new Change(order, true);
        }
        return workflows
                .replace(userId, id, change, CHANGE_TIMEOUT)
                .map(changed -> new Change(
                        changed, changed.status() != OrderStatus.PENDING_REPLACE && !changed.isReplaceRequested()))
                .orElseGet(() -> {
                    OrderState now = current(userId, id);
                    return new Change(now, now.status().isFinal());
                });
    }

    /**
     * Tells an order what a person found at its broker.
     *
     * @return the order afterwards; one that is over is unchanged
     * @throws Problem.Refusal when the order waits for no person's word
     */
    public OrderState resolve(UserId userId, ClientOrderId id, OrderResolution resolution) throws InterruptedException {
        OrderState order = current(userId, id);
        if (!FailureCode.UNRESOLVED.isOf(order.reason())) {
            throw notUnresolved(order);
        }
        try {
            return workflows.resolve(userId, id, resolution, CHANGE_TIMEOUT).orElseGet(() -> current(userId, id));
        } catch (WorkflowUpdateException resolvedMeanwhile) {
            throw notUnresolved(current(userId, id));
        }
    }

    private static Problem.Refusal notUnresolved(OrderState order) {
        return Problem.NOT_UNRESOLVED.because("Order " + order.request().clientOrderId() + " is " + order.status()
                + (order.reason() == null ? "" : ", " + order.reason().code())
                + ". Only an order whose reason is unresolved can be resolved.");
    }

    /** Without PostgreSQL no archived order is known. */
    private Optional<Long> archive(UserId userId, ClientOrderId id) {
        try {
            return readModel.archive(userId, id);
        } catch (DataAccessException unavailable) {
            LOG.warn("the list of archived orders does not answer: {}", unavailable.getMessage());
            return Optional.empty();
        }
    }

    /** Without PostgreSQL only workflows within Temporal's retention are found. */
    Optional<OrderState> recorded(UserId userId, ClientOrderId id) {
        try {
            return readModel.find(userId, id);
        } catch (DataAccessException unavailable) {
            LOG.warn("the read model does not answer: {}", unavailable.getMessage());
            return Optional.empty();
        }
    }
}
