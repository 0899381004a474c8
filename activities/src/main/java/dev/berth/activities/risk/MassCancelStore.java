package dev.berth.activities.risk;

import dev.berth.workflows.Json;
import dev.berth.workflows.masscancel.MassCancel;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Mass cancels in PostgreSQL. Each stays in effect until one that asks for the same, or for all,
 * takes its place, or no order from before it may be sent for its deadline.
 */
public final class MassCancelStore {
    /** Clocks of processes differ by less. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private static final String SUPERSEDE = """
            UPDATE mass_cancels SET superseded = ?
            WHERE superseded IS NULL AND (at < ? OR (name = ? AND (filter = ? OR ?) AND at <= ?))
            """;

    private static final String OTHERS =
            "SELECT count(*) FROM mass_cancels WHERE superseded IS NULL AND name = ? AND filter <> ? AND at >= ?";

    /** An id that was used long ago is used anew. */
    private static final String INSERT = """
            INSERT INTO mass_cancels (version, name, id, filter, request, at) VALUES (?, ?, ?, ?, ?::jsonb, ?)
            ON CONFLICT (name, id) DO UPDATE
              SET version = excluded.version, filter = excluded.filter, request = excluded.request, at = excluded.at,
                  effective_at = NULL, superseded = NULL
            """;

    private static final String IN_EFFECT =
            "SELECT request FROM mass_cancels WHERE version <= ? AND (superseded IS NULL OR superseded > ?) ORDER BY version";

    private final JdbcTemplate postgres;
    private final TransactionTemplate changes;
    private final Duration kept;

    /**
     * A store.
     *
     * @param changes each makes one change
     * @param longestDeadline within which an order may be sent
     */
    public MassCancelStore(JdbcTemplate postgres, TransactionTemplate changes, Duration longestDeadline) {
        this.postgres = postgres;
        this.changes = changes;
        this.kept = longestDeadline.plus(MARGIN);
    }

    /** Puts it in effect. One that was recorded before changes nothing. */
    public void record(MassCancel request) {
        changes.executeWithoutResult(_ -> {
            // First: it makes the next change wait for this one.
            long version = SuspensionStore.nextVersion(postgres);
            if (isRecorded(request)) {
                return;
            }
            Timestamp at = Timestamp.from(request.at());
            postgres.update(
                    SUPERSEDE,
                    version,
                    Timestamp.from(request.at().minus(kept)),
                    request.name(),
                    request.filter(),
                    request.coversAll(),
                    at);
            postgres.update(INSERT, version, request.name(), request.id(), request.filter(), Json.write(request), at);
        });
    }

    private boolean isRecorded(MassCancel request) {
        return !postgres.queryForList(
                        "SELECT id FROM mass_cancels WHERE name = ? AND id = ? AND at = ?",
                        request.name(),
                        request.id(),
                        Timestamp.from(request.at()))
                .isEmpty();
    }

    /** How many of the same name are in effect that it would not supersede. */
    public int others(MassCancel request) {
        return request.coversAll()
                ? 0
                : Objects.requireNonNull(postgres.queryForObject(
                        OTHERS,
                        Integer.class,
                        request.name(),
                        request.filter(),
                        Timestamp.from(request.at().minus(kept))));
    }

    /** No gate lets an order pass any more that it covers. */
    public void recordEffective(MassCancel request, Instant since) {
        postgres.update(
                "UPDATE mass_cancels SET effective_at = ? WHERE name = ? AND id = ? AND effective_at IS NULL",
                Timestamp.from(since),
                request.name(),
                request.id());
    }

    /** Those in effect after the change of that version, by name. */
    static Map<String, List<MassCancel>> inEffect(JdbcTemplate postgres, long version) {
        Map<String, List<MassCancel>> found = new HashMap<>();
        postgres.queryForList(IN_EFFECT, String.class, version, version).stream()
                .map(json -> Json.read(json, MassCancel.class))
                .forEach(request -> found.computeIfAbsent(request.name(), _ -> new ArrayList<>())
                        .add(request));
        return found;
    }
}
