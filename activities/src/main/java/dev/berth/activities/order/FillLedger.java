package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import java.sql.Timestamp;
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

    private final JdbcTemplate postgres;

    FillLedger(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** Enters it; false when it says nothing new. */
    boolean book(UserId userId, ClientOrderId clientOrderId, Execution execution) {
        return postgres.update(
                        ADD,
                        userId.value(),
                        clientOrderId.value(),
                        execution.executionId(),
                        execution.leg(),
                        execution.quantity().value(),
                        execution.price().value(),
                        Timestamp.from(execution.at()),
                        execution.busted())
                > 0;
    }
}
