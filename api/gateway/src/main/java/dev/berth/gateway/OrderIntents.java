package dev.berth.gateway;

import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.KnownIntent;
import dev.berth.workflows.VenueClientOrderId;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Orders that workers are about to write to brokers that would take them a second time, in
 * PostgreSQL. Without a row an order was surely not written.
 */
final class OrderIntents {
    /**
     * In doubt is what was perhaps written and has no answer: the order's own row tells, which is
     * written later than the worker's word; a replacement in doubt shows in its order's status.
     */
    private static final String RECORD = """
            WITH doubt AS (
              SELECT other.client_order_id FROM order_intents other
              LEFT JOIN orders USING (user_id, client_order_id)
              WHERE other.user_id = ? AND other.account = ? AND other.symbol = ? AND other.side = ?
                AND other.client_order_id <> ? AND other.venue_order_id IS NULL
                AND (coalesce(orders.status, 'PENDING') IN ('PENDING', 'DISPATCHED', 'UNKNOWN')
                  OR other.version > 0 AND orders.status = 'PENDING_REPLACE')
              ORDER BY other.intended_at LIMIT 1
            ), others AS (
              SELECT count(*) AS open FROM order_intents WHERE user_id = ? AND venue_order_id IS NULL
            ), stored AS (
              INSERT INTO order_intents (user_id, client_order_id, version, account, symbol, side, epoch, intended_at)
              SELECT ?, ?, ?, ?, ?, ?, ?, now() WHERE NOT EXISTS (SELECT FROM doubt) AND (SELECT open FROM others) < ?
              ON CONFLICT (user_id, client_order_id, version) DO UPDATE
                SET epoch = excluded.epoch, intended_at = excluded.intended_at, venue_order_id = NULL
                WHERE order_intents.epoch <= excluded.epoch
              RETURNING 1
            )
            SELECT (SELECT client_order_id FROM doubt) AS in_doubt, (SELECT count(*) FROM stored) AS stored,
              (SELECT open FROM others) AS open
            """;

    private static final String OF_WRITER = " WHERE user_id = ? AND client_order_id = ? AND version = ? AND epoch = ?";
    private static final String KNOW = "UPDATE order_intents SET venue_order_id = ?" + OF_WRITER;
    private static final String WITHDRAW = "DELETE FROM order_intents" + OF_WRITER;
    private static final String READ =
            "SELECT venue_order_id FROM order_intents WHERE user_id = ? AND client_order_id = ? AND version = ?";

    /** Orders of one user without the broker's id. Each holds others, so that few are honest. */
    static final int MOST_OPEN = 1_000;
    /** The newest of a user's others that stay. */
    private static final int KEPT = 10_000;

    /** Temporal keeps an order that is over for so long; a look-up that is older finds nothing. */
    private static final String PRUNE = """
            DELETE FROM order_intents WHERE user_id = ? AND (intended_at < now() - interval '30 days'
              OR venue_order_id IS NOT NULL AND intended_at < (
                SELECT intended_at FROM order_intents WHERE user_id = ? AND venue_order_id IS NOT NULL
                ORDER BY intended_at DESC OFFSET ? LIMIT 1))
            """;

    /** One call in so many drops what is older. */
    private static final int PRUNED_IN = 256;

    private final JdbcTemplate postgres;

    OrderIntents(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * Whether the order was stored.
     *
     * @param inDoubt the order that stands before it
     * @param full whether the user has too many without the broker's id; false, with the others,
     *     when a later epoch has stored the same
     */
    record Recorded(boolean stored, Optional<String> inDoubt, boolean full) {}

    /** Stores the order, unless another of the same account, symbol and side is in doubt. */
    Recorded record(Assignment worker, IntentRequest request) {
        String user = worker.userId().value();
        VenueClientOrderId id = VenueClientOrderId.parse(request.clientOrderId());
        String order = id.order().value();
        String account = request.account().toString();
        String side = request.side().name();
        if (ThreadLocalRandom.current().nextInt(PRUNED_IN) == 0) {
            postgres.update(PRUNE, user, user, KEPT);
        }
        return postgres.query(
                        RECORD,
                        (row, _) -> new Recorded(
                                row.getInt("stored") == 1,
                                Optional.ofNullable(row.getString("in_doubt")),
                                row.getInt("open") >= MOST_OPEN),
                        user,
                        account,
                        request.symbol(),
                        side,
                        order,
                        user,
                        user,
                        order,
                        id.version(),
                        account,
                        request.symbol(),
                        side,
                        worker.epoch(),
                        MOST_OPEN)
                .getFirst();
    }

    /** The broker has the order under this id. No effect when another epoch writes it. */
    void know(Assignment worker, VenueClientOrderId id, String venueOrderId) {
        postgres.update(KNOW, venueOrderId, worker.userId().value(), id.order().value(), id.version(), worker.epoch());
    }

    /** Nothing was written. No effect when another epoch writes it. */
    void withdraw(Assignment worker, VenueClientOrderId id) {
        postgres.update(WITHDRAW, worker.userId().value(), id.order().value(), id.version(), worker.epoch());
    }

    /** Whether it may have been written, by any epoch. */
    KnownIntent find(Assignment worker, VenueClientOrderId id) {
        return postgres
                .query(
                        READ,
                        (row, _) -> new KnownIntent(true, row.getString("venue_order_id")),
                        worker.userId().value(),
                        id.order().value(),
                        id.version())
                .stream()
                .findFirst()
                .orElseGet(() -> new KnownIntent(false, null));
    }
}
