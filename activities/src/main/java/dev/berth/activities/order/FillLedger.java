package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/** The executions of every order, each once. */
final class FillLedger {
    private static final String BOOK = "SELECT book_execution(?, ?, ?::jsonb)";

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
        Boolean isNew = postgres.queryForObject(
                BOOK, Boolean.class, userId.value(), clientOrderId.value(), Json.write(execution));
        if (isNew == null) {
            return Booking.NONE;
        }
        return isNew && !execution.busted() ? Booking.EXECUTION : Booking.CORRECTION;
    }
}
