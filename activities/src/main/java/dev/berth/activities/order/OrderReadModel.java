package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads of orders. Whose they are is part of every question; only {@link #search} can be asked for
 * everybody's.
 */
public final class OrderReadModel {
    private static final String STEPS = """
            SELECT state FROM order_events
            WHERE user_id = ? AND client_order_id = ? AND revision > ? ORDER BY revision
            """;

    private static final String FILLS = """
            SELECT execution_id, order_version, quantity, price, at, busted, fee, fee_currency FROM fills
            WHERE user_id = ? AND client_order_id = ? ORDER BY at, execution_id
            """;

    private static final String LAST_TAKEN = """
            SELECT state FROM orders WHERE user_id = ? AND (state ->> 'acknowledgedAt' IS NOT NULL OR status = 'UNKNOWN')
            ORDER BY submitted_at DESC, client_order_id DESC LIMIT 1
            """;

    /** Three reads by primary key in one round trip. */
    private static final String BEFORE_SUBMISSION = """
            SELECT (SELECT state FROM orders WHERE user_id = ? AND client_order_id = ?) AS earlier,
              (SELECT file_number FROM archived_orders WHERE user_id = ? AND client_order_id = ?) AS archive_file,
              coalesce((SELECT ciphertext IS NOT NULL FROM accounts WHERE user_id = ? AND account = ?), ?) AS has_account
            """;

    private static final String UNANSWERED = """
            SELECT state FROM orders WHERE user_id = ? AND open AND status IN ('PENDING', 'DISPATCHED', 'UNKNOWN')
            """;

    private static final String OPEN =
            "SELECT user_id, client_order_id FROM orders WHERE open AND submitted_at < now() - ? * interval '1 second'";

    private final JdbcTemplate postgres;

    public OrderReadModel(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * What must be known before an order is accepted.
     *
     * @param earlier the order that this user submitted under this id before
     * @param archive the number of the archive's file that this order is in; 0 for none
     * @param hasAccount whether the order's account has credentials
     */
    public record BeforeSubmission(Optional<OrderState> earlier, long archive, boolean hasAccount) {}

    /**
     * Reads all of it at once.
     *
     * @param isDefault whether the order's account has credentials without a row of its own
     */
    public BeforeSubmission beforeSubmission(OrderRequest order, boolean isDefault) {
        return postgres.query(
                        BEFORE_SUBMISSION,
                        (row, _) -> new BeforeSubmission(
                                Optional.ofNullable(row.getString("earlier"))
                                        .map(json -> Json.read(json, OrderState.class)),
                                row.getLong("archive_file"),
                                row.getBoolean("has_account")),
                        order.userId().value(),
                        order.clientOrderId().value(),
                        order.userId().value(),
                        order.clientOrderId().value(),
                        order.userId().value(),
                        order.account().toString(),
                        isDefault)
                .getFirst();
    }

    public Optional<OrderState> find(UserId userId, ClientOrderId clientOrderId) {
        return states(
                        "SELECT state FROM orders WHERE user_id = ? AND client_order_id = ?",
                        userId.value(),
                        clientOrderId.value())
                .stream()
                .findFirst();
    }

    /** A user's orders that the venue has not answered, as far as they are written. */
    public List<OrderState> unanswered(UserId userId) {
        return states(UNANSWERED, userId.value());
    }

    /** Everybody's orders that are not final, and were accepted longer ago than this. */
    public List<OrderId> open(Duration age) {
        return postgres.query(
                OPEN,
                (row, _) -> new OrderId(
                        new UserId(row.getString("user_id")), new ClientOrderId(row.getString("client_order_id"))),
                age.toSeconds());
    }

    /** The newest order of a user that some worker took, which need not be the present one. */
    public Optional<OrderState> lastTaken(UserId userId) {
        return states(LAST_TAKEN, userId.value()).stream().findFirst();
    }

    /** The number of the archive's file that an order is in; empty when none has it. */
    public Optional<Long> archive(UserId userId, ClientOrderId clientOrderId) {
        return postgres
                .queryForList(
                        "SELECT file_number FROM archived_orders WHERE user_id = ? AND client_order_id = ?",
                        Long.class,
                        userId.value(),
                        clientOrderId.value())
                .stream()
                .findFirst();
    }

    /** Every step of an order, oldest first; empty when there is no such order. */
    public List<OrderState> events(UserId userId, ClientOrderId clientOrderId) {
        return events(userId, clientOrderId, -1);
    }

    /** The steps after one of them, oldest first. */
    public List<OrderState> events(UserId userId, ClientOrderId clientOrderId, int revision) {
        return states(STEPS, userId.value(), clientOrderId.value(), revision);
    }

    /** Every execution of an order, oldest first by the venue's clock. */
    public List<Execution> fills(UserId userId, ClientOrderId clientOrderId) {
        return postgres.query(FILLS, (row, _) -> StoredExecution.of(row), userId.value(), clientOrderId.value());
    }

    /** One page of orders, newest first. */
    public List<OrderState> search(OrderQuery query) {
        OrderQuery.Sql sql = query.sql();
        return states(sql.text(), sql.values().toArray());
    }

    private List<OrderState> states(String sql, Object... values) {
        return postgres.queryForList(sql, String.class, values).stream()
                .map(json -> Json.read(json, OrderState.class))
                .toList();
    }
}
