package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What the executions, fees and activities in PostgreSQL add up to, for users' default accounts.
 * The paper venue tells no fee with an execution: each is an activity. Over FIX there are no
 * activities, and no fees.
 */
record RecordedHoldings(Stack stack) {
    private static final String MOVES = """
            SELECT user_id, account, symbol, sum(quantity) AS quantity, sum(amount) AS amount FROM (
              SELECT user_id, account, symbol, CASE side WHEN 'buy' THEN quantity ELSE -quantity END AS quantity,
                CASE side WHEN 'buy' THEN -quantity * price ELSE quantity * price END AS amount
              FROM account_executions WHERE NOT busted
              UNION ALL
              SELECT user_id, account, content ->> 'symbol', coalesce((content ->> 'quantity')::numeric, 0),
                coalesce((content ->> 'amount')::numeric, 0)
              FROM account_activities WHERE content ->> 'kind' <> 'FILL'
              UNION ALL
              SELECT user_id, order_account(state), symbol, 0, 0 FROM orders
            ) moves
            WHERE account IN ('alpaca/equity/paper/paper', 'fix/equity/paper/paper')
              AND NOT EXISTS (SELECT FROM accounts own WHERE own.user_id = moves.user_id AND own.account = moves.account)
            GROUP BY user_id, account, symbol
            """;

    /** Another execution of the same order, time and quantity, in place of the ledger's. */
    private static final String CORRECTIONS = """
            SELECT own.user_id,
              sum(((activity.content ->> 'price')::numeric - own.price)
                * CASE own.side WHEN 'buy' THEN -own.quantity ELSE own.quantity END) AS amount
            FROM own_executions own JOIN account_activities activity USING (user_id, account, at)
            WHERE account = 'alpaca/equity/paper/paper' AND NOT own.busted AND activity.content ->> 'kind' = 'FILL'
              AND activity.content ->> 'venueOrderId' = own.venue_order_id
              AND (activity.content ->> 'quantity')::numeric = own.quantity
              AND NOT EXISTS (SELECT FROM own_executions known
                WHERE known.user_id = own.user_id AND known.execution_id = activity.content ->> 'executionId')
            GROUP BY own.user_id
            """;

    private static final class Sum {
        private final Map<String, BigDecimal> positions = new HashMap<>();
        private BigDecimal cash = VenueHoldings.INITIAL_CASH;
        private BigDecimal unheard = BigDecimal.ZERO;
    }

    /**
     * By key id: those that are reported, and those over FIX, which no worker reads.
     *
     * @param reported with the times at which they were read
     * @throws IOException when PostgreSQL does not answer
     */
    Map<String, RecordedAccount> read(Map<String, AccountHoldings> reported) throws IOException {
        Instant now = Instant.now();
        Map<String, Sum> sums = new HashMap<>();
        Map<String, Instant> readAt = new HashMap<>();
        reported.forEach((account, holdings) -> readAt.put(account, holdings.asOf()));
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(MOVES);
                ResultSet rows = query.executeQuery();
                PreparedStatement unheard = postgres.prepareStatement(CORRECTIONS);
                ResultSet corrections = unheard.executeQuery()) {
            while (rows.next()) {
                LocalAccount account = LocalAccount.of(rows.getString("account").split("/", 2)[0]);
                String keyId = account.keyId(rows.getString("user_id"));
                if (account == LocalAccount.FIX) {
                    readAt.put(keyId, now);
                }
                Sum sum = sums.computeIfAbsent(keyId, _ -> new Sum());
                sum.cash = sum.cash.add(rows.getBigDecimal("amount"));
                BigDecimal quantity = rows.getBigDecimal("quantity");
                if (quantity.signum() != 0) {
                    sum.positions.put(rows.getString("symbol"), quantity);
                }
            }
            while (corrections.next()) {
                sums.computeIfAbsent(corrections.getString("user_id"), _ -> new Sum()).unheard =
                        corrections.getBigDecimal("amount");
            }
        } catch (SQLException unavailable) {
            throw new IOException("PostgreSQL at " + stack.postgres() + ": " + unavailable.getMessage(), unavailable);
        }
        Map<String, RecordedAccount> recorded = new HashMap<>();
        readAt.forEach((account, at) -> {
            Sum sum = sums.getOrDefault(account, new Sum());
            AccountHoldings holdings = new AccountHoldings(account, at, sum.cash, sum.positions);
            recorded.put(account, new RecordedAccount(holdings, sum.unheard));
        });
        return recorded;
    }
}
