package dev.berth.rest.order;

import dev.berth.activities.order.OrderQuery;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Searches the read model, and asks the workflows of PENDING orders for a newer state. */
@Component
class OrderSearch implements AutoCloseable {
    /** Limit for all searches together, so that they do not slow submissions. */
    private static final int CONCURRENT_QUERIES = 16;

    /** Orders without an answer by then keep the state of the read model. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final OrderReadModel readModel;
    private final OrderWorkflowClient workflows;
    private final OrderChangeListener changes;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(CONCURRENT_QUERIES, Thread.ofVirtual().factory());

    OrderSearch(OrderReadModel readModel, OrderWorkflowClient workflows, OrderChangeListener changes) {
        this.readModel = readModel;
        this.workflows = workflows;
        this.changes = changes;
    }

    /**
     * A page of orders, newest first. It may have fewer than the limit when orders just changed
     * their status.
     */
    Page<OrderState> search(OrderQuery query) throws InterruptedException {
        Set<OrderStatus> statuses = query.statuses();
        List<OrderState> page =
                readModel.search(statuses.contains(OrderStatus.DISPATCHED) ? withPending(query) : query);
        List<OrderState> found = current(page).stream()
                .filter(order -> statuses.isEmpty() || statuses.contains(order.status()))
                .toList();
        return new Page<>(found, nextCursor(page, query.limit()));
    }

    /** Null when the read model has fewer than were statuses for: then there are no more. */
    static @Nullable String nextCursor(List<OrderState> page, int limit) {
        return page.size() < limit ? null : Cursor.of(OrderQuery.Position.of(page.getLast()));
    }

    private static OrderQuery withPending(OrderQuery query) {
        Set<OrderStatus> statuses = EnumSet.copyOf(query.statuses());
        statuses.add(OrderStatus.PENDING);
        return query.withStatuses(statuses);
    }

    private List<OrderState> current(List<OrderState> page) throws InterruptedException {
        List<OrderState> waiting = page.stream()
                .filter(order -> order.status() == OrderStatus.PENDING)
                .toList();
        if (waiting.isEmpty()) {
            return page;
        }
        List<Callable<OrderState>> queries = waiting.stream()
                .<Callable<OrderState>>map(order -> () -> changes.withAnswer(workflows.withDispatch(order)))
                .toList();
        List<Future<OrderState>> answers = threads.invokeAll(queries, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        Map<OrderState, OrderState> dispatched = new HashMap<>();
        for (int i = 0; i < waiting.size(); i++) {
            if (answers.get(i).state() == Future.State.SUCCESS) {
                dispatched.put(waiting.get(i), answers.get(i).resultNow());
            }
        }
        return page.stream().map(order -> dispatched.getOrDefault(order, order)).toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
