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
    /** An execution that is there already stays, but for its bust. */
    private static final String ADD = """
            INSERT INTO fills
              (user_id, client_order_id, execution_id, leg, quantity, price, at, busted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, client_order_id, execution_id) DO UPDATE
              SET busted = true
              WHERE excluded.busted AND NOT fills.busted
            """;

    private static final String OTHERS = """
            SELECT coalesce(sum(quantity), 0) FROM fills
            WHERE user_id = ? AND client_order_id = ? AND leg = ? AND NOT busted AND execution_id <> ALL (?)
            """;

    private final JdbcTemplate postgres;

    FillLedger(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** How much the leg filled by executions that are not among these. */
    BigDecimal besides(UserId userId, ClientOrderId clientOrderId, int leg, List<Execution> executions) {
        return Objects.requireNonNull(postgres.queryForObject(
                OTHERS,
                BigDecimal.class,
                userId.value(),
                clientOrderId.value(),
                leg,
                executions.stream().map(Execution::executionId).toArray(String[]::new)));
    }

    /** Enters it; false when it says nothing new. */
    boolean book(UserId userId, ClientOrderId clientOrderId, Execution execution) {
        return postgres.update(
                        ADD,
                        userId.value(),
                        clientOrderId.value(),
                        execution.executionId(),
                        execution.version(),
                        execution.quantity().value(),
                        execution.price().value(),
                        Timestamp.from(execution.at()),
                        execution.busted())
                > 0;
    }
}
