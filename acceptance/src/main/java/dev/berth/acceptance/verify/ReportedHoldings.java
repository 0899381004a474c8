package dev.berth.acceptance.verify;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What PostgreSQL has of users' default accounts, without those that have credentials of their own.
 */
record ReportedHoldings(Stack stack) {
    private static final String ACCOUNTS = """
            SELECT balances.user_id, least(balances.as_of, positions.as_of) AS as_of,
              (balances.content ->> 'cash')::numeric AS cash,
              ARRAY(SELECT held ->> 'symbol' FROM jsonb_array_elements(positions.content) held) AS symbols,
              ARRAY(SELECT (held ->> 'quantity')::numeric FROM jsonb_array_elements(positions.content) held) AS quantities
            FROM account_parts balances JOIN account_parts positions USING (user_id, account)
            WHERE account = 'alpaca/equity/paper/paper' AND balances.part = 'BALANCES' AND positions.part = 'POSITIONS'
              AND NOT EXISTS (SELECT FROM accounts own WHERE own.user_id = balances.user_id AND own.account = balances.account)
            """;

    /**
     * By key id, which is the user's id.
     *
     * @throws IOException when PostgreSQL does not answer
     */
    Map<String, AccountHoldings> read() throws IOException {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(ACCOUNTS);
                ResultSet rows = query.executeQuery()) {
            Map<String, AccountHoldings> accounts = new HashMap<>();
            while (rows.next()) {
                accounts.put(rows.getString("user_id"), account(rows));
            }
            return accounts;
        } catch (SQLException unavailable) {
            throw new IOException("PostgreSQL at " + stack.postgres() + ": " + unavailable.getMessage(), unavailable);
        }
    }

    private static AccountHoldings account(ResultSet row) throws SQLException {
        String[] symbols = (String[]) array(row, "symbols");
        BigDecimal[] quantities = (BigDecimal[]) array(row, "quantities");
        Map<String, BigDecimal> positions = new HashMap<>();
        for (int at = 0; at < symbols.length; at++) {
            positions.put(symbols[at], quantities[at]);
        }
        return new AccountHoldings(
                row.getString("user_id"), row.getTimestamp("as_of").toInstant(), row.getBigDecimal("cash"), positions);
    }

    private static Object array(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return array.getArray();
    }
}
