package dev.berth.api.order;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Gives failed orders another chance. Their workflows begin again under their old ids, with the question whether the
 * venue has them after all, so that nothing is sent twice.
 */
@Component
public class OrderRequeue {
    private static final Logger LOG = LoggerFactory.getLogger(OrderRequeue.class);

    /** Of this process: a backlog that is requeued must not become a stampede on the users' workers. */
    private static final int A_SECOND = 20;

    private final OrderReadModel readModel;
    private final OrdersInAttention attention;
    private final OrderWorkflows workflows;
    private final OrderRecords records;
    private final InstantSource clock;
    private final RateLimiter<Object> rate =
            RateLimiter.smoothBuilder(A_SECOND, Duration.ofSeconds(1)).build();

    OrderRequeue(
            OrderReadModel readModel,
            OrdersInAttention attention,
            OrderWorkflows workflows,
            OrderRecords records,
            InstantSource clock) {
        this.readModel = readModel;
        this.attention = attention;
        this.workflows = workflows;
        this.records = records;
        this.clock = clock;
    }

    /** What became of one order. */
    public enum Result {
        REQUEUED("requeued"),
        WOULD_REQUEUE("wouldRequeue"),
        REFUSED("refused");

        private final String word;

        Result(String word) {
            this.word = word;
        }

        @JsonValue
        public String word() {
            return word;
        }
    }

    /**
     * What became of one order, or would.
     *
     * @param why it was refused; absent otherwise
     */
    public record Line(String id, Result result, @Nullable String why) {
        static Line refused(String id, String why) {
            return new Line(id, Result.REFUSED, why);
        }
    }

    /** The failed orders that wait for a person, those with time left first. */
    public List<String> failed(int limit) {
        return attention.failed(limit).stream()
                .map(order -> OrderKey.of(order.request()).toString())
                .toList();
    }

    /** Why an order can not be requeued now; empty when it can. */
    public Optional<String> objection(OrderState order) {
        if (order.status() != OrderStatus.FAILED) {
            return Optional.of("It is " + order.status() + ", not FAILED.");
        }
        if (order.venueStatus() != null || order.acknowledgedAt() != null) {
            return Optional.of("The venue has answered it"
                    + (order.venueStatus() == null ? "." : ": " + order.venueStatus() + "."));
        }
        if (!FailureCode.isRequeueable(order.reason())) {
            return Optional.of("Another try does not mend this: " + order.reason());
        }
        Instant deadline = order.request().deadline();
        if (!clock.instant().isBefore(deadline)) {
            return Optional.of("It has expired: its deadline was " + deadline + ".");
        }
        return Optional.empty();
    }

    /** Says what {@link #requeue} would do, and does nothing. */
    public Line judge(String id) {
        Optional<OrderState> order = find(id);
        return order.isEmpty()
                ? Line.refused(id, "There is no such order.")
                : objection(order.get())
                        .map(why -> Line.refused(id, why))
                        .orElseGet(() -> new Line(id, Result.WOULD_REQUEUE, null));
    }

    /**
     * Requeues one order, in its turn. One that can not be requeued because a server is away is no hindrance to the next.
     *
     * @param by who wants it, and why; it stands in the order's event log
     */
    public Line requeue(String id, String by) throws InterruptedException {
        rate.acquirePermit();
        try {
            Line verdict = judge(id);
            return verdict.result() == Result.REFUSED ? verdict : start(id, find(id).orElseThrow(), by);
        } catch (DataAccessException | WorkflowServiceException | StatusRuntimeException away) {
            LOG.warn("order {} was perhaps not requeued, a server is away", id, away);
            return Line.refused(id, "A server that is needed does not answer. Try it again: that is harmless.");
        }
    }

    private Line start(String id, OrderState failed, String by) {
        OrderState requeued = failed.requeued(
                FailureCode.REQUEUED.because("Requeued by " + by),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        if (!workflows.startAgain(requeued)) {
            return Line.refused(id, "It is being worked on: somebody else requeued it, or it has not ended yet.");
        }
        LOG.warn("order {} requeued by {}", id, by);
        record(requeued);
        return new Line(id, Result.REQUEUED, null);
    }

    /** It goes on without this: its next step takes it off the list too. */
    private void record(OrderState requeued) {
        try {
            records.record(
                    requeued.request().userId(),
                    requeued.request().clientOrderId(),
                    List.of(requeued),
                    List.of(),
                    HistoryPosition.OUTSIDE);
        } catch (DataAccessException away) {
            LOG.warn("a requeue is not in the event log, PostgreSQL is away: {}", away.getMessage());
        }
    }

    private Optional<OrderState> find(String id) {
        return OrderKey.parse(id).flatMap(key -> readModel.find(key.userId(), key.clientOrderId()));
    }
}
