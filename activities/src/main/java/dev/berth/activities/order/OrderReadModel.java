package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads of one user's orders. Nobody reads another user's: the user id is part of every question. */
public final class OrderReadModel {
    private final JdbcTemplate postgres;

    public OrderReadModel(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * What a page is made of.
     *
     * @param limit 1 to 500 orders
     * @param after the last order of the page before; absent for the first page
     */
    public record Page(
            @Nullable OrderStatus status,
            @Nullable String symbol,
            int limit,
            @Nullable Position after) {}

    /** A place in a user's orders, newest first. It stays valid while orders are added. */
    public record Position(Instant submittedAt, ClientOrderId clientOrderId) {}

    public Optional<OrderState> find(UserId userId, ClientOrderId clientOrderId) {
        return postgres
                .queryForList(
                        "SELECT state FROM orders WHERE user_id = ? AND client_order_id = ?",
                        String.class,
                        userId.value(),
                        clientOrderId.value())
                .stream()
                .map(json -> Json.read(json, OrderState.class))
                .findFirst();
    }

    /** Every step of an order, oldest first; empty when there is no such order. */
    public List<OrderState> events(UserId userId, ClientOrderId clientOrderId) {
        return postgres
                .queryForList(
                        "SELECT state FROM order_events WHERE user_id = ? AND client_order_id = ? ORDER BY revision",
                        String.class,
                        userId.value(),
                        clientOrderId.value())
                .stream()
                .map(json -> Json.read(json, OrderState.class))
                .toList();
    }

    /** One page of a user's orders, newest first. */
    public List<OrderState> list(UserId userId, Page page) {
        StringBuilder sql = new StringBuilder("SELECT state FROM orders WHERE user_id = ?");
        List<Object> values = new ArrayList<>(List.of(userId.value()));
        if (page.status() != null) {
            sql.append(" AND status = ?");
            values.add(page.status().name());
        }
        if (page.symbol() != null) {
            sql.append(" AND symbol = ?");
            values.add(page.symbol());
        }
        if (page.after() != null) {
            sql.append(" AND (submitted_at, client_order_id) < (?, ?)");
            values.add(Timestamp.from(page.after().submittedAt()));
            values.add(page.after().clientOrderId().value());
        }
        sql.append(" ORDER BY submitted_at DESC, client_order_id DESC LIMIT ?");
        values.add(page.limit());
        return postgres.queryForList(sql.toString(), String.class, values.toArray()).stream()
                .map(json -> Json.read(json, OrderState.class))
                .toList();
    }
}
