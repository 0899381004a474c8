package dev.berth.activities.account;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountActivity;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** What is known of accounts. Whose they are is part of every question. */
public final class AccountReadModel {
    private static final String ACTIVITIES = """
            SELECT content FROM account_activities
            WHERE user_id = ? AND account = ? AND (?::timestamptz IS NULL OR (at, activity_id) < (?, ?))
            ORDER BY at DESC, activity_id DESC LIMIT ?
            """;

    /** An order that its venue took under another account, or never, only has the same id. */
    private static final String OWN = """
            SELECT client_order_id FROM orders
            WHERE user_id = ? AND client_order_id = ANY (?) AND status <> 'REJECTED'
              AND concat_ws('/', state #>> '{request,account,broker}', state #>> '{request,account,market}',
                lower(state #>> '{request,account,environment}'), state #>> '{request,account,accountId}') = ?
            """;

    private final JdbcTemplate postgres;

    public AccountReadModel(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * Records a report. One of an earlier epoch, or from before what is known, changes nothing.
     *
     * @param epoch of the worker that made it
     * @return whether something changed
     */
    public boolean record(UserId userId, long epoch, AccountReport report) {
        return Boolean.TRUE.equals(postgres.queryForObject(
                "SELECT record_account(?, ?, ?, ?::jsonb)",
                Boolean.class,
                userId.value(),
                report.account().toString(),
                epoch,
                Json.write(report)));
    }

    /**
     * A part as it was reported last.
     *
     * @param asOf the broker answered later than this, by the worker's clock
     */
    public record Reported<T>(Instant asOf, T content) {}

    /** Empty when no worker has reported the part yet. */
    public <T> Optional<Reported<T>> find(UserId userId, AccountKey account, AccountPart<T> part) {
        return postgres
                .query(
                        "SELECT as_of, content FROM account_parts WHERE user_id = ? AND account = ? AND part = ?",
                        (row, _) -> new Reported<>(
                                row.getTimestamp("as_of").toInstant(), part.read(row.getString("content"))),
                        userId.value(),
                        account.toString(),
                        part.name())
                .stream()
                .findFirst();
    }

    /** Where an activity stands in the list. */
    public record ActivityPosition(Instant at, String activityId) {}

    /**
     * Activities, newest first.
     *
     * @param before null for the newest
     */
    public List<AccountActivity> activities(
            UserId userId, AccountKey account, @Nullable ActivityPosition before, int limit) {
        Timestamp at = before == null ? null : Timestamp.from(before.at());
        return postgres
                .queryForList(
                        ACTIVITIES,
                        String.class,
                        userId.value(),
                        account.toString(),
                        at,
                        at,
                        before == null ? null : before.activityId(),
                        limit)
                .stream()
                .map(json -> Json.read(json, AccountActivity.class))
                .toList();
    }

    /** Those ids under which Berth itself submitted an order of this account. */
    public Set<ClientOrderId> own(UserId userId, AccountKey account, Collection<ClientOrderId> ids) {
        return postgres
                .queryForList(
                        OWN,
                        String.class,
                        userId.value(),
                        ids.stream().map(ClientOrderId::value).toArray(String[]::new),
                        account.toString())
                .stream()
                .map(ClientOrderId::new)
                .collect(Collectors.toUnmodifiableSet());
    }
}
