package dev.berth.activities.retention;

import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.retention.OrderArchiving;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Moves orders from PostgreSQL to files. The file comes first and is the intent: a run
 * that finds file n without a row of its own deletes what stands in it, and adds the row in the
 * same transaction. After a restore of PostgreSQL from a backup, runs go through the files of later
 * orders again.
 */
public final class OrderArchive implements OrderArchiving {
    private static final Logger LOG = LoggerFactory.getLogger(OrderArchive.class);

    /** About 1 MB compressed, and a second to write and delete. */
    static final int BATCH = 1_000;
    /** A page of files; and the number of due orders is counted up to ten times as many. */
    private static final int SHOWN = 100;

    /** An order with its steps and executions: all columns but the derived one. */
    private static final String LINE = """
            jsonb_build_object('order', to_jsonb(o) - 'open',
              'events', (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.revision), '[]') FROM order_events e
                WHERE e.user_id = o.user_id AND e.client_order_id = o.client_order_id),
              'fills', (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.execution_id), '[]') FROM fills f
                WHERE f.user_id = o.user_id AND f.client_order_id = o.client_order_id))
            """;

    /** By the index on the time of submission; skips the few that are open or closed late. */
    private static final String DUE = """
            FROM orders o WHERE submitted_at < ? AND status = ANY (?) AND (state ->> 'changedAt')::timestamptz < ?
            ORDER BY submitted_at, user_id, client_order_id LIMIT ?
            """;

    private static final String COUNT_DUE = "SELECT count(*) FROM (SELECT " + DUE + ") due";

    private static final String READ_DUE = "SELECT " + LINE + "::text " + DUE;

    private static final String IN_FILE = """
            WITH archived AS MATERIALIZED (
              SELECT line, line -> 'order' ->> 'user_id' AS user_id, line -> 'order' ->> 'client_order_id' AS id
              FROM (SELECT text::jsonb AS line FROM unnest(?::text[]) AS text) lines)
            SELECT o.user_id, o.client_order_id FROM archived
              JOIN orders o ON o.user_id = archived.user_id AND o.client_order_id = archived.id
            """;

    /**
     * Comes before the comparison, as a statement of its own: that sees what a report that came
     * late has committed, and a later report waits and then finds no order.
     */
    private static final String LOCK = IN_FILE + "ORDER BY 1, 2 FOR UPDATE OF o";

    private static final String UNCHANGED = IN_FILE + "WHERE archived.line = " + LINE;

    private static final String KEEP_IDS = """
            INSERT INTO archived_orders (user_id, client_order_id, file_number)
            SELECT user_id, id, ? FROM unnest(?::text[], ?::text[]) AS archived (user_id, id)
            ON CONFLICT (user_id, client_order_id) DO UPDATE SET file_number = excluded.file_number
            """;

    /** One file's, so that the statement stays short. */
    private static final String FORGET = """
            DELETE FROM archived_orders WHERE file_number = (SELECT min(file_number) FROM archived_orders
              WHERE file_number <= (SELECT max(number) FROM archive_files WHERE archived_at < ?))
            """;

    private final JdbcTemplate postgres;
    private final TransactionTemplate transactions;
    private final Times times;
    private final @Nullable ArchiveFolder folder;
    private final InstantSource clock;

    /**
     * How long what is kept in PostgreSQL.
     *
     * @param orders closed orders, since their last change
     * @param orderIds their client order ids, since the orders were archived
     */
    public record Times(Duration orders, Duration orderIds) {}

    /**
     * A file.
     *
     * @param orders that left PostgreSQL for it
     */
    public record ArchivedFile(long number, String name, Instant archivedAt, int orders, long bytes) {}

    /** @param folder null when nothing is archived */
    public OrderArchive(
            JdbcTemplate postgres,
            PlatformTransactionManager transactions,
            Times times,
            @Nullable ArchiveFolder folder,
            InstantSource clock) {
        this.postgres = postgres;
        this.transactions = new TransactionTemplate(transactions);
        this.transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        this.times = times;
        this.folder = folder;
        this.clock = clock;
    }

    @Override
    public @Nullable Long write() {
        if (folder == null) {
            return null;
        }
        long next = Objects.requireNonNull(
                postgres.queryForObject("SELECT coalesce(max(number), 0) + 1 FROM archive_files", Long.class));
        if (folder.exists(next)) {
            return next;
        }
        // After the number is read: what an earlier file holds is deleted by now.
        List<String> due = inUtc(() -> postgres.queryForList(READ_DUE, String.class, due(BATCH)));
        if (due.isEmpty()) {
            return null;
        }
        folder.write(next, due);
        return next;
    }

    @Override
    public int delete(long number) {
        List<Integer> earlier =
                postgres.queryForList("SELECT orders FROM archive_files WHERE number = ?", Integer.class, number);
        if (!earlier.isEmpty()) {
            return earlier.getFirst();
        }
        ArchiveFolder files = Objects.requireNonNull(folder, "the archive was switched off");
        List<String> lines = files.read(number);
        int deleted = inUtc(() -> delete(number, lines, files.size(number)));
        LOG.info("archived {} of {} orders in {}", deleted, lines.size(), ArchiveFolder.name(number));
        return deleted;
    }

    private int delete(long number, List<String> lines, long bytes) {
        keys(LOCK, lines);
        List<String[]> keys = keys(UNCHANGED, lines);
        String[] users = keys.stream().map(key -> key[0]).toArray(String[]::new);
        String[] ids = keys.stream().map(key -> key[1]).toArray(String[]::new);
        for (String table : List.of("order_events", "fills", "orders")) {
            postgres.update("DELETE FROM " + table + """
                             AS gone USING unnest(?::text[], ?::text[]) AS archived (user_id, id)
                            WHERE gone.user_id = archived.user_id AND gone.client_order_id = archived.id
                            """, users, ids);
        }
        postgres.update(KEEP_IDS, number, users, ids);
        postgres.update(
                "INSERT INTO archive_files (number, archived_at, orders, bytes) VALUES (?, ?, ?, ?)",
                number,
                Timestamp.from(clock.instant()),
                keys.size(),
                bytes);
        return keys.size();
    }

    private List<String[]> keys(String sql, List<String> lines) {
        return postgres.query(sql, (row, _) -> new String[] {row.getString(1), row.getString(2)}, (Object)
                lines.toArray(String[]::new));
    }

    @Override
    public void forgetOrderIds() {
        Timestamp limit = Timestamp.from(clock.instant().minus(times.orderIds()));
        int forgotten;
        do {
            forgotten = postgres.update(FORGET, limit);
        } while (forgotten > 0);
    }

    /** Files, the newest first. */
    public List<ArchivedFile> files() {
        return postgres.query(
                "SELECT number, archived_at, orders, bytes FROM archive_files ORDER BY number DESC LIMIT ?",
                (row, _) -> new ArchivedFile(
                        row.getLong("number"),
                        ArchiveFolder.name(row.getLong("number")),
                        row.getTimestamp("archived_at").toInstant(),
                        row.getInt("orders"),
                        row.getLong("bytes")),
                SHOWN);
    }

    /** How many orders the next run archives, counted up to 1,000. */
    public int countDue() {
        return Objects.requireNonNull(postgres.queryForObject(COUNT_DUE, Integer.class, due(10 * SHOWN)));
    }

    private Object[] due(int limit) {
        Timestamp before = Timestamp.from(clock.instant().minus(times.orders()));
        String[] closed = Arrays.stream(OrderStatus.values())
                .filter(OrderStatus::isFinal)
                .map(OrderStatus::name)
                .toArray(String[]::new);
        return new Object[] {before, closed, before, limit};
    }

    /** JSON has times in the session's zone, which must be the same whenever lines are compared. */
    private <T> T inUtc(Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(_ -> {
            postgres.execute("SET LOCAL TIME ZONE 'UTC'");
            return work.get();
        }));
    }
}
