package dev.berth.activities.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads executions from rows of the ledger. */
public final class StoredExecution {
    private StoredExecution() {}

    /** As its order shows it: the venue's id of the order stands there. */
    static Execution of(ResultSet row) throws SQLException {
        return new Execution(
                row.getString("execution_id"),
                row.getInt("order_version"),
                new Decimal(row.getBigDecimal("quantity")),
                new Decimal(row.getBigDecimal("price")),
                row.getTimestamp("at").toInstant(),
                row.getBoolean("busted"),
                fee(row),
                null);
    }

    /** Null without one. */
    public static @Nullable ExecutionFee fee(ResultSet row) throws SQLException {
        BigDecimal amount = row.getBigDecimal("fee");
        return amount == null ? null : new ExecutionFee(new SignedDecimal(amount), row.getString("fee_currency"));
    }
}
