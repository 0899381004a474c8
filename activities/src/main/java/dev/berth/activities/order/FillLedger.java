package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/** The executions of every order, each once. */
final class FillLedger {
    /** Books an execution: the last report of a known execution counts; a bust stays. */
    private static final String BOOK = """
            INSERT INTO fills
              (user_id, client_order_id, execution_id, order_version, quantity, price, at, busted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, client_order_id, execution_id) DO UPDATE
              SET busted = excluded.busted,
                quantity = CASE WHEN excluded.busted THEN fills.quantity ELSE excluded.quantity END,
                price = CASE WHEN excluded.busted THEN fills.price ELSE excluded.price END
              WHERE NOT fills.busted AND (excluded.busted
                OR (fills.quantity, fills.price) IS DISTINCT FROM (excluded.quantity, excluded.price))
            RETURNING xmax = 0
            """;

    private static final String OTHERS = """
            SELECT coalesce(sum(quantity), 0) FROM fills
            WHERE user_id = ? AND client_order_id = ? AND order_version = ? AND NOT busted AND execution_id <> ALL (?)
            """;

    private final JdbcTemplate postgres;

    FillLedger(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** How much a version filled by executions that are not among these. */
    BigDecimal besides(UserId userId, ClientOrderId clientOrderId, int version, List<Execution> executions) {
        return Objects.requireNonNull(postgres.queryForObject(
                OTHERS,
                BigDecimal.class,
                userId.value(),
                clientOrderId.value(),
                version,
                executions.stream().map(Execution::executionId).toArray(String[]::new)));
    }

    /** What an execution says. */
    enum Booking {
        NONE,
        EXECUTION,
        /** Another quantity or price of one that the ledger has, or a bust. */
        CORRECTION
    }

    Booking book(UserId userId, ClientOrderId clientOrderId, Execution execution) {
        List<Boolean> isNew = postgres.queryForList(
                BOOK,
                Boolean.class,
                userId.value(),
                clientOrderId.value(),
                execution.executionId(),
                execution.version(),
                execution.quantity().value(),
                execution.price().value(),
                Timestamp.from(execution.at()),
                execution.busted());
        if (isNew.isEmpty()) {
            return Booking.NONE;
        }
        return isNew.getFirst() && !execution.busted() ? Booking.EXECUTION : Booking.CORRECTION;
    }
}
