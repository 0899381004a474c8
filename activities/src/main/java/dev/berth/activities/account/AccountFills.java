package dev.berth.activities.account;

import dev.berth.activities.order.StoredExecution;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Side;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Executions over accounts, each once: those of Berth's own orders from the ledger, the others
 * from the activities that workers have read.
 */
public final class AccountFills {
    private final JdbcTemplate postgres;

    public AccountFills(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** One page, newest first. */
    public List<AccountFill> page(AccountFillQuery query) {
        AccountFillQuery.Statement sql = query.statement();
        return postgres.query(sql.text(), (row, _) -> fill(row), sql.values().toArray());
    }

    private static AccountFill fill(ResultSet row) throws SQLException {
        Instant at = row.getTimestamp("at").toInstant();
        String orderId = row.getString("order_id");
        return new AccountFill(
                row.getString("account"),
                row.getString("execution_id"),
                orderId.isEmpty() ? null : new ClientOrderId(orderId),
                row.getString("venue_order_id"),
                row.getString("symbol"),
                Side.valueOf(row.getString("side").toUpperCase(Locale.ROOT)),
                new Decimal(row.getBigDecimal("quantity")),
                new Decimal(row.getBigDecimal("price")),
                StoredExecution.fee(row),
                at,
                row.getBoolean("busted"),
                new AccountFill.Position(at, row.getString("id"), orderId));
    }
}
