package dev.berth.api.order;

import dev.berth.activities.order.OrderQuery;
import dev.berth.activities.order.OrderReadModel;
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

/** The read model, but for what it does not know yet: which orders that wait a worker has in hand, or has an answer to. */
@Component
class OrderSearch implements AutoCloseable {
    /** Of all searches together: they must not crowd out submissions. */
    private static final int QUESTIONS_AT_ONCE = 16;

    /** Whoever is not told of by then is shown as the read model has it. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final OrderReadModel readModel;
    private final OrderWorkflows workflows;
    private final OrderNews news;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(QUESTIONS_AT_ONCE, Thread.ofVirtual().factory());

    OrderSearch(OrderReadModel readModel, OrderWorkflows workflows, OrderNews news) {
        this.readModel = readModel;
        this.workflows = workflows;
        this.news = news;
    }

    /**
     * Some orders, newest first.
     *
     * @param orders may be fewer than were asked for though there are more: a worker has just taken the others
     * @param nextCursor gives the next ones; null when there are none
     */
    record Found(List<OrderState> orders, @Nullable String nextCursor) {}

    Found search(OrderQuery query) throws InterruptedException {
        Set<OrderStatus> asked = query.statuses();
        List<OrderState> page = readModel.search(asked.contains(OrderStatus.DISPATCHED) ? orWaiting(query) : query);
        List<OrderState> now = asTheyAre(page).stream()
                .filter(order -> asked.isEmpty() || asked.contains(order.status()))
                .toList();
        return new Found(now, nextCursor(page, query.limit()));
    }

    /** Null when the read model has fewer than were asked for: then there are no more. */
    static @Nullable String nextCursor(List<OrderState> page, int limit) {
        return page.size() < limit ? null : Cursor.of(OrderQuery.Position.of(page.getLast()));
    }

    private static OrderQuery orWaiting(OrderQuery query) {
        Set<OrderStatus> statuses = EnumSet.copyOf(query.statuses());
        statuses.add(OrderStatus.PENDING);
        return query.withStatuses(statuses);
    }

    private List<OrderState> asTheyAre(List<OrderState> page) throws InterruptedException {
        List<OrderState> waiting = page.stream()
                .filter(order -> order.status() == OrderStatus.PENDING)
                .toList();
        if (waiting.isEmpty()) {
            return page;
        }
        List<Callable<OrderState>> questions = waiting.stream()
                .<Callable<OrderState>>map(order -> () -> news.orAnswered(workflows.withDispatch(order)))
                .toList();
        List<Future<OrderState>> answers = threads.invokeAll(questions, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        Map<OrderState, OrderState> dispatched = new HashMap<>();
        for (int at = 0; at < waiting.size(); at++) {
            if (answers.get(at).state() == Future.State.SUCCESS) {
                dispatched.put(waiting.get(at), answers.get(at).resultNow());
            }
        }
        return page.stream().map(order -> dispatched.getOrDefault(order, order)).toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
