package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.failsafe.RateLimiter;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Requeues failed orders. Their workflows start again under their old ids and first ask the venue
 * for the order, so that nothing is sent twice.
 */
@Component
public class OrderRequeue {
    private static final Logger LOG = LoggerFactory.getLogger(OrderRequeue.class);

    /** Limit of this process, so that a large requeue does not start too many workers at once. */
    private static final int PER_SECOND = 20;

    /** An order whose servers answer slowly does not hold up the others. */
    private static final int AT_ONCE = 4;

    private final OrderReadModel readModel;
    private final OrdersInAttention attention;
    private final OrderWorkflowClient workflows;
    private final OrderRecords records;
    private final InstantSource clock;
    private final RateLimiter<Object> rate =
            RateLimiter.smoothBuilder(PER_SECOND, Duration.ofSeconds(1)).build();

    OrderRequeue(
            OrderReadModel readModel,
            OrdersInAttention attention,
            OrderWorkflowClient workflows,
            OrderRecords records,
            InstantSource clock) {
        this.readModel = readModel;
        this.attention = attention;
        this.workflows = workflows;
        this.records = records;
        this.clock = clock;
    }

    /** The outcome for one order. */
    public enum RequeueResult {
        REQUEUED("requeued"),
        WOULD_REQUEUE("wouldRequeue"),
        REFUSED("refused");

        private final String word;

        RequeueResult(String word) {
            this.word = word;
        }

        @JsonValue
        public String word() {
            return word;
        }
    }

    /**
     * The outcome for one order.
     *
     * @param why the reason of a refusal; absent otherwise
     */
    public record Line(
            String id, RequeueResult result, @Nullable String why) {
        static Line refused(String id, String why) {
            return new Line(id, RequeueResult.REFUSED, why);
        }
    }

    /** Failed orders that need attention; those before their deadline come first. */
    public List<String> failed(int limit) {
        return attention.failed(limit).stream()
                .map(order -> OrderKey.of(order.request()).toString())
                .toList();
    }

    /** Why an order cannot be requeued now; empty if it can. */
    public Optional<String> objection(OrderState order) {
        if (order.status() != OrderStatus.FAILED) {
            return Optional.of("It is " + order.status() + ", not FAILED.");
        }
        if (order.venueStatus() != null || order.acknowledgedAt() != null) {
            return Optional.of("The venue has answered it"
                    + (order.venueStatus() == null ? "." : ": " + order.venueStatus() + "."));
        }
        if (!FailureCode.isRequeueable(order.reason())) {
            return Optional.of("A retry does not help: " + order.reason());
        }
        Instant deadline = order.request().deadline();
        if (!clock.instant().isBefore(deadline)) {
            return Optional.of("It has expired: its deadline was " + deadline + ".");
        }
        return Optional.empty();
    }

    /** The outcome that {@link #requeue} would have. */
    public Line dryRun(String id) {
        Optional<OrderState> order = find(id);
        return order.isEmpty()
                ? Line.refused(id, "There is no such order.")
                : objection(order.get())
                        .map(why -> Line.refused(id, why))
                        .orElseGet(() -> new Line(id, RequeueResult.WOULD_REQUEUE, null));
    }

    /**
     * Requeues orders, in this order but several at once, as {@link #requeue(String, String)} does
     * each.
     */
    public List<Line> requeue(List<String> ids, String by) throws InterruptedException {
        List<Callable<Line>> tasks =
                ids.stream().<Callable<Line>>map(id -> () -> requeue(id, by)).toList();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            return threads.invokeAll(tasks).stream().map(Future::resultNow).toList();
        }
    }

    /**
     * Requeues one order, within the rate limit. If a server does not answer, only this order is
     * refused.
     *
     * @param by the operator and the reason, for the order's event log
     */
    public Line requeue(String id, String by) throws InterruptedException {
        rate.acquirePermit();
        try {
            Line verdict = dryRun(id);
            return verdict.result() == RequeueResult.REFUSED ? verdict : start(id, find(id).orElseThrow(), by);
        } catch (DataAccessException | WorkflowServiceException | StatusRuntimeException unavailable) {
            LOG.warn("order {} may not be requeued, a server does not answer", id, unavailable);
            return Line.refused(id, "A required server does not answer. Requeue it again; that is harmless.");
        } catch (RuntimeException failed) {
            LOG.error("order {} may not be requeued", id, failed);
            return Line.refused(id, "It failed with an error. The log has it; requeue it again, that is harmless.");
        }
    }

    private Line start(String id, OrderState failed, String by) {
        OrderState requeued = failed.requeued(
                FailureCode.REQUEUED.because("Requeued by " + by),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        if (!workflows.restart(requeued)) {
            return Line.refused(id, "Its workflow runs: the order was requeued already, or has not ended yet.");
        }
        LOG.warn("order {} requeued by {}", id, by);
        record(requeued);
        return new Line(id, RequeueResult.REQUEUED, null);
    }

    /** May fail: the order's next step removes it from the attention list too. */
    private void record(OrderState requeued) {
        try {
            records.record(
                    requeued.request().userId(),
                    requeued.request().clientOrderId(),
                    List.of(requeued),
                    List.of(),
                    HistoryPosition.OUTSIDE);
        } catch (DataAccessException unavailable) {
            LOG.warn("a requeue is not in the event log, PostgreSQL does not answer: {}", unavailable.getMessage());
        }
    }

    private Optional<OrderState> find(String id) {
        return OrderKey.parse(id).flatMap(key -> readModel.find(key.userId(), key.clientOrderId()));
    }
}
