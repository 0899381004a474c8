package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads orders and executions from PostgreSQL. */
record ReadModel(Stack stack) {
    private static final String ORDERS = """
            SELECT user_id, client_order_id, state ->> 'status' AS status, state ->> 'reason' AS reason,
                   state #>> '{request,account,broker}' AS broker,
                   (state ->> 'filledQuantity')::numeric AS filled, state ->> 'venueOrderId' AS venue_order_id,
                   state -> 'request' ->> 'submittedAt' AS submitted_at,
                   state -> 'request' ->> 'dispatchWithin' AS dispatch_within,
                   coalesce((SELECT sum(quantity) FROM fills f
                             WHERE f.user_id = o.user_id AND f.client_order_id = o.client_order_id AND NOT busted), 0) AS ledger,
                   (SELECT min(c.effective_at) FROM mass_cancels c
                    WHERE c.name IN ('all', 'user:' || o.user_id, 'broker:' || (state #>> '{request,account,broker}'))
                      AND c.at >= (state #>> '{request,submittedAt}')::timestamptz
                      AND coalesce(c.request -> 'account', state #> '{request,account}') = state #> '{request,account}'
                      AND coalesce(c.request ->> 'symbol', o.symbol) = o.symbol
                      AND coalesce(c.request ->> 'side', state #>> '{request,side}') = state #>> '{request,side}') AS canceled_at
            FROM orders o
            """;

    static ReadModel of(Stack stack) {
        return new ReadModel(stack);
    }

    /**
     * The orders that left PostgreSQL for the archive.
     *
     * @throws IOException when PostgreSQL does not answer
     */
    Set<OrderReference> archived() throws IOException {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query =
                        postgres.prepareStatement("SELECT user_id, client_order_id FROM archived_orders");
                ResultSet rows = query.executeQuery()) {
            Set<OrderReference> archived = new HashSet<>();
            while (rows.next()) {
                archived.add(new OrderReference(rows.getString(1), rows.getString(2)));
            }
            return archived;
        } catch (SQLException unavailable) {
            throw unavailable(unavailable);
        }
    }

    private IOException unavailable(SQLException failure) {
        return new IOException("PostgreSQL at " + stack.postgres() + ": " + failure.getMessage(), failure);
    }

    /** @throws IOException when PostgreSQL does not answer */
    List<BerthOrder> orders() throws IOException {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(ORDERS);
                ResultSet rows = query.executeQuery()) {
            List<BerthOrder> orders = new ArrayList<>();
            while (rows.next()) {
                orders.add(order(rows));
            }
            return orders;
        } catch (SQLException unavailable) {
            throw unavailable(unavailable);
        }
    }

    private static BerthOrder order(ResultSet row) throws SQLException {
        return new BerthOrder(
                new OrderReference(row.getString("user_id"), row.getString("client_order_id")),
                LocalAccount.of(row.getString("broker")),
                row.getString("status"),
                row.getString("reason"),
                row.getBigDecimal("filled"),
                row.getBigDecimal("ledger"),
                row.getString("venue_order_id"),
                Instant.parse(row.getString("submitted_at")).plus(Duration.parse(row.getString("dispatch_within"))),
                instant(row.getTimestamp("canceled_at")));
    }

    private static @Nullable Instant instant(@Nullable Timestamp time) {
        return time == null ? null : time.toInstant();
    }
}
