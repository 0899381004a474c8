package dev.berth.activities.account;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a user's executions, newest first.
 *
 * @param account null for every account
 * @param from executed then or later
 * @param to executed earlier than that
 * @param limit of executions, at least 1
 * @param after the last execution of the page before; null for the first page
 */
public record AccountFillQuery(
        UserId userId,
        @Nullable AccountKey account,
        @Nullable String symbol,
        @Nullable Instant from,
        @Nullable Instant to,
        int limit,
        AccountFill.@Nullable Position after) {

    /**
     * PostgreSQL takes an equation with an expression for one that few rows meet, and would begin
     * with all orders; most orders of a user are of one account.
     */
    static final String ACCOUNT = " AND coalesce(account = ?, false)";

    /** The page behind this execution. */
    public AccountFillQuery behind(AccountFill last) {
        return new AccountFillQuery(userId, account, symbol, from, to, limit, last.position());
    }

    /** SQL, and the values of its question marks. */
    record Statement(String text, List<Object> values) {}

    /** Each half is read in the order of an index, so that a page costs the same wherever it is. */
    Statement statement() {
        List<Object> values = new ArrayList<>();
        String text = "SELECT * FROM ((" + half("own_executions", values) + ") UNION ALL ("
                + half("foreign_executions", values)
                + ")) both_origins ORDER BY at DESC, id DESC, order_id DESC LIMIT ?";
        values.add(limit);
        return new Statement(text, List.copyOf(values));
    }

    private String half(String view, List<Object> values) {
        StringBuilder text = new StringBuilder("SELECT * FROM ").append(view).append(" WHERE user_id = ?");
        values.add(userId.value());
        if (account != null) {
            text.append(ACCOUNT);
            values.add(account.toString());
        }
        if (symbol != null) {
            text.append(" AND symbol = ?");
            values.add(symbol);
        }
        if (from != null) {
            text.append(" AND at >= ?");
            values.add(Timestamp.from(from));
        }
        if (to != null) {
            text.append(" AND at < ?");
            values.add(Timestamp.from(to));
        }
        if (after != null) {
            text.append(" AND (at, id, order_id) < (?, ?, ?)");
            Collections.addAll(values, Timestamp.from(after.at()), after.id(), after.orderId());
        }
        values.add(limit);
        return text.append(" ORDER BY at DESC, id DESC, order_id DESC LIMIT ?").toString();
    }
}
