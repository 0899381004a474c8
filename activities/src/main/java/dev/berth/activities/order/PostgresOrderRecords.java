package dev.berth.activities.order;

import dev.berth.routing.StreamEvents;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderFailures;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderVersion;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Writes orders to PostgreSQL and publishes their changes on Redis. */
public final class PostgresOrderRecords implements OrderRecords {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresOrderRecords.class);

    private static final String RECORD = "SELECT record_order(?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?)";

    /**
     * Behind everything of the run that is stored: its last task may be done again, and write the
     * same once more.
     */
    private static final String CORRECT = """
            UPDATE orders SET status = ?, revision = ?, attention_since = ?, state = ?::jsonb,
              history_length = 9223372036854775807
            WHERE user_id = ? AND client_order_id = ?
            """;

    private static final String ADD_EVENT = "SELECT add_order_event(?, ?, ?::jsonb)";

    private final JdbcTemplate postgres;
    private final FillLedger ledger;
    private final TransactionTemplate transactions;
    private final StreamEvents events;
    private final ActiveOrders active;

    public PostgresOrderRecords(
            JdbcTemplate postgres, TransactionTemplate transactions, RedisCommands<String, String> redis) {
        this.postgres = postgres;
        this.ledger = new FillLedger(postgres);
        this.transactions = transactions;
        this.events = new StreamEvents(redis);
        this.active = new ActiveOrders(redis);
    }

    @Override
    public void record(
            UserId userId,
            ClientOrderId clientOrderId,
            List<OrderState> steps,
            List<Execution> executions,
            HistoryPosition from) {
        // First, so that admission does not wait for PostgreSQL.
        if (!steps.isEmpty()) {
            release(steps.getLast());
        }
        boolean isStored = Boolean.TRUE.equals(postgres.queryForObject(
                RECORD,
                Boolean.class,
                userId.value(),
                clientOrderId.value(),
                steps.isEmpty() ? null : steps.getLast().request().contentHash(),
                steps.isEmpty() ? null : attentionSince(steps.getLast()),
                Json.write(executions),
                Json.write(steps),
                from.runId(),
                from.length()));
        if (isStored) {
            publish(steps.getLast());
        }
    }

    private static @Nullable Timestamp attentionSince(OrderState state) {
        Instant since = OrdersInAttention.since(state);
        return since == null ? null : Timestamp.from(since);
    }

    private void correct(OrderState state) {
        OrderRequest request = state.request();
        postgres.update(
                CORRECT,
                state.status().name(),
                state.revision(),
                attentionSince(state),
                Json.write(state),
                request.userId().value(),
                request.clientOrderId().value());
    }

    @Override
    public @Nullable OrderState read(UserId userId, ClientOrderId clientOrderId) {
        return new OrderReadModel(postgres).find(userId, clientOrderId).orElse(null);
    }

    @Override
    public @Nullable OrderState recordLateReport(UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
        Optional<OrderState> corrected =
                Objects.requireNonNull(transactions.execute(_ -> corrected(userId, clientOrderId, report)));
        corrected.ifPresent(this::publish);
        return corrected.orElse(null);
    }

    /**
     * Empty when the ledger has nothing new to say, or when the order is not ours: placed by hand
     * at the venue.
     */
    private Optional<OrderState> corrected(UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
        Optional<OrderState> locked = lock(userId, clientOrderId);
        if (locked.isEmpty()) {
            return locked;
        }
        OrderState order = locked.get();
        if (order.isAnothers()) {
            return Optional.empty();
        }
        if (isTooMuch(order, report)) {
            LOG.error(
                    "executions not booked, the venue fills less than these and those before: status {}",
                    report.status());
            return FailureCode.needsAttention(order.reason())
                    ? repeated(report, order)
                    : changed(order.because(OrderFailures.executionsDiffer(), report.at()));
        }
        FillLedger.Booking highest = FillLedger.Booking.NONE;
        for (Execution execution : report.executionsOfVenueOrder()) {
            FillLedger.Booking booked = ledger.book(userId, clientOrderId, execution);
            highest = booked.compareTo(highest) > 0 ? booked : highest;
        }
        OrderState now = order.isLateArrival(report) ? order.arrivedLate(report) : corrected(order, report, highest);
        return now.revision() == order.revision() ? repeated(report, order) : changed(now);
    }

    private static OrderState corrected(OrderState order, ExecutionReport report, FillLedger.Booking booking) {
        return switch (booking) {
            case NONE -> order;
            case EXECUTION -> caughtUp(order, report);
            case CORRECTION -> order.corrected(report, OrderFailures.busted());
        };
    }

    private Optional<OrderState> changed(OrderState now) {
        OrderRequest request = now.request();
        postgres.query(
                ADD_EVENT,
                _ -> {},
                request.userId().value(),
                request.clientOrderId().value(),
                Json.write(now));
        correct(now);
        return Optional.of(now);
    }

    /** A venue that named an execution otherwise the last time would have it booked twice. */
    private boolean isTooMuch(OrderState order, ExecutionReport report) {
        BigDecimal total = report.filledQuantity().value();
        for (OrderVersion version : order.versions()) {
            if (version.number() == report.version()) {
                total = total.max(version.filled().value());
            }
        }
        BigDecimal reported = Execution.total(report.executions());
        return reported.signum() > 0
                && ledger.besides(
                                        order.request().userId(),
                                        order.request().clientOrderId(),
                                        report.version(),
                                        report.executions())
                                .add(reported)
                                .compareTo(total)
                        > 0;
    }

    /** As an attempt before, whose answer may have been lost. */
    private static Optional<OrderState> repeated(ExecutionReport report, OrderState order) {
        boolean wasAnswered =
                FailureCode.isCorrection(order.reason()) && order.changedAt().equals(report.at());
        return wasAnswered ? Optional.of(order) : Optional.empty();
    }

    private Optional<OrderState> lock(UserId userId, ClientOrderId clientOrderId) {
        return postgres
                .queryForList(
                        "SELECT state FROM orders WHERE user_id = ? AND client_order_id = ? FOR UPDATE",
                        String.class,
                        userId.value(),
                        clientOrderId.value())
                .stream()
                .map(json -> Json.read(json, OrderState.class))
                .findFirst();
    }

    /**
     * By the venue's totals: the ledger may lack what was reported while no worker listened. Fills
     * may have been counted before their executions were reported: then the ledger only catches up.
     */
    private static OrderState caughtUp(OrderState order, ExecutionReport report) {
        OrderState corrected = order.corrected(
                report, FailureCode.LATE_FILL.because("The venue told of an execution after the order was over."));
        return corrected.filledQuantity().equals(order.filledQuantity()) ? order : corrected;
    }

    /**
     * After the commit, since a subscriber reads the row at once. A subscriber that misses a notice
     * polls.
     */
    private void publish(OrderState state) {
        try {
            events.publish(state);
        } catch (RedisException unavailable) {
            LOG.warn("order news not published, Redis is unavailable: {}", unavailable.getMessage());
        }
    }

    /** An order that stays counted while Redis is unavailable is found by the next correction. */
    private void release(OrderState state) {
        if (state.status().isUnanswered()) {
            return;
        }
        try {
            active.release(new ActiveOrders.ActiveOrder(
                    state.request().userId(), state.request().clientOrderId()));
        } catch (RedisException unavailable) {
            LOG.warn("an order stays counted as active, Redis is unavailable: {}", unavailable.getMessage());
        }
    }
}
