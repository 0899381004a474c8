package dev.berth.activities.account;

import dev.berth.activities.account.AccountStatement.Entry;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.broker.AccountKey;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Statements of accounts: from the reports that each day keeps, and what happened between two of
 * them.
 *
 * <p>On which side of a report something stands: {@code asOf} is when the worker began to read, so
 * what was executed earlier is in the report. What was executed while it read may be in it or not;
 * then the report lists that execution with a time after {@code asOf}, and is not kept: the report
 * that follows each execution takes its place. So executions are parted by the venue's time. Other
 * activities often have a date only; they are parted by the report that was the first to list them,
 * since a broker lists them when it books them.
 */
public final class AccountStatements {
    /** The report of the day, then the one before. */
    private static final String REPORTS = """
            SELECT day = ?::date AS is_of_day, as_of, balances, positions FROM account_days
            WHERE user_id = ? AND account = ? AND day <= ?::date ORDER BY day DESC LIMIT 2
            """;

    /** The condition on the account is written as {@link AccountFillQuery#ACCOUNT} says. */
    private static final String EXECUTIONS = """
            SELECT symbol, side, count(*) AS count, sum(quantity) AS quantity, sum(quantity * price) AS value
            FROM account_executions WHERE user_id = ? AND coalesce(account = ?, false) AND at >= ? AND at < ?
            GROUP BY symbol, side
            """;

    private static final String BUSTS = """
            SELECT symbol, side, count(*) AS count, sum(quantity) AS quantity, sum(quantity * price) AS value
            FROM own_executions WHERE user_id = ? AND coalesce(account = ?, false) AND busted AND busted_at >= ? AND busted_at < ?
            GROUP BY symbol, side
            """;

    private static final String FEES = """
            SELECT fee_currency, count(*) AS count, sum(fee) AS fee FROM own_executions
            WHERE user_id = ? AND coalesce(account = ?, false) AND at >= ? AND at < ? AND NOT busted AND fee IS NOT NULL
            GROUP BY fee_currency
            """;

    private static final String ACTIVITIES = """
            SELECT content ->> 'kind' AS kind, content ->> 'symbol' AS symbol, count(*) AS count,
              coalesce(sum((content ->> 'quantity')::numeric), 0) AS quantity,
              coalesce(sum((content ->> 'amount')::numeric), 0) AS amount
            FROM account_activities
            WHERE user_id = ? AND account = ? AND content ->> 'kind' <> 'FILL' AND seen_as_of > ? AND seen_as_of <= ?
            GROUP BY 1, 2 ORDER BY 1, 2
            """;

    private final JdbcTemplate postgres;

    public AccountStatements(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    private record DayReport(boolean isOfDay, Instant asOf, AccountHolding holding) {}

    /** Empty when no report of that day is kept. */
    public Optional<AccountStatement> find(UserId userId, AccountKey account, LocalDate day, Instant now) {
        List<DayReport> reports = postgres.query(
                REPORTS,
                (row, _) -> new DayReport(
                        row.getBoolean("is_of_day"),
                        row.getTimestamp("as_of").toInstant(),
                        AccountHolding.of(
                                Json.read(row.getString("balances"), AccountBalances.class),
                                AccountPart.POSITIONS.read(row.getString("positions")))),
                day.toString(),
                userId.value(),
                account.toString(),
                day.toString());
        if (reports.size() < 2 || !reports.getFirst().isOfDay()) {
            return Optional.empty();
        }
        DayReport end = reports.getFirst();
        DayReport start = reports.getLast();
        StatementSum sum = new StatementSum(start.holding(), end.holding());
        Object[] between = {userId.value(), account.toString(), Timestamp.from(start.asOf()), Timestamp.from(end.asOf())
        };
        addExecutions(sum, between);
        addActivities(sum, between);
        boolean isOver =
                !now.isBefore(day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant());
        return Optional.of(new AccountStatement(account, day, isOver, start.asOf(), end.asOf(), sum.assets()));
    }

    private void addExecutions(StatementSum sum, Object... between) {
        postgres.query(
                EXECUTIONS,
                row -> {
                    sum.trade(Entry.FILLS, StatementSum.Trade.of(row));
                },
                between);
        postgres.query(
                BUSTS,
                row -> {
                    sum.trade(Entry.BUSTS, StatementSum.Trade.of(row).reversed());
                },
                between);
        postgres.query(
                FEES,
                row -> {
                    sum.fee(row.getString("fee_currency"), row.getLong("count"), row.getBigDecimal("fee"));
                },
                between);
    }

    private void addActivities(StatementSum sum, Object... between) {
        postgres.query(
                ACTIVITIES,
                row -> {
                    sum.activity(
                            row.getString("kind"),
                            row.getString("symbol"),
                            row.getLong("count"),
                            row.getBigDecimal("quantity"),
                            row.getBigDecimal("amount"));
                },
                between);
    }
}
