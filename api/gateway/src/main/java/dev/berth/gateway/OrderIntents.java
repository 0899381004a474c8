package dev.berth.gateway;

import dev.berth.temporal.gateway.OrderIntentMessages.Claims;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.KnownIntent;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
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
              INSERT INTO order_intents (user_id, client_order_id, version, account, symbol, side, quantity, limit_price,
                stop_price, epoch, intended_at)
              SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now() WHERE NOT EXISTS (SELECT FROM doubt) AND (SELECT open FROM others) < ?
              ON CONFLICT (user_id, client_order_id, version) DO UPDATE
                SET epoch = excluded.epoch, intended_at = excluded.intended_at, venue_order_id = NULL,
                  quantity = excluded.quantity, limit_price = excluded.limit_price, stop_price = excluded.stop_price
                WHERE order_intents.epoch <= excluded.epoch
              RETURNING 1
            )
            SELECT (SELECT client_order_id FROM doubt) AS in_doubt, (SELECT count(*) FROM stored) AS stored,
              (SELECT open FROM others) AS open
            """;

    private static final String OF_ORDER = " WHERE user_id = ? AND client_order_id = ? AND version = ?";
    private static final String KNOW = "UPDATE order_intents SET venue_order_id = ?" + OF_ORDER + " AND epoch <= ?";
    private static final String WITHDRAW = "DELETE FROM order_intents" + OF_ORDER + " AND epoch = ?";
    /**
     * Unwritten is what the journal of the account's FIX session has no message of, once that is
     * this epoch's: no earlier one stores anything any more. Messages go after two days, or when
     * there are too many.
     */
    private static final String READ = """
            SELECT symbol, side, quantity, limit_price, stop_price, intended_at, venue_order_id,
              intended_at > now() - interval '1 day'
                AND EXISTS (SELECT FROM fix_sessions journal
                  WHERE (journal.user_id, journal.account) = (intent.user_id, intent.account) AND journal.epoch = ?)
                AND (SELECT count(*) < ? AND count(*) FILTER (WHERE strpos(text, ?) > 0) = 0
                  FROM fix_messages message
                  WHERE (message.user_id, message.account) = (intent.user_id, intent.account) AND at >= intended_at)
                AS unwritten
            FROM order_intents intent
            """ + OF_ORDER;

    private static final String CLAIMS = """
            SELECT venue_order_id, client_order_id, version, coalesce(orders.status, 'PENDING') AS status
            FROM order_intents LEFT JOIN orders USING (user_id, client_order_id)
            WHERE user_id = ? AND account = ? AND venue_order_id = ANY (?)
            """;

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
                        request.terms().quantity().value(),
                        value(request.terms().limitPrice()),
                        value(request.terms().stopPrice()),
                        worker.epoch(),
                        MOST_OPEN)
                .getFirst();
    }

    private static @Nullable BigDecimal value(@Nullable Decimal price) {
        return price == null ? null : price.value();
    }

    private static @Nullable Decimal decimal(@Nullable BigDecimal value) {
        return value == null ? null : new Decimal(value);
    }

    /**
     * The broker has the order under this id, which an earlier epoch may have written. No effect
     * when a later one writes it.
     */
    void know(Assignment worker, VenueClientOrderId id, String venueOrderId) {
        postgres.update(KNOW, venueOrderId, worker.userId().value(), id.order().value(), id.version(), worker.epoch());
    }

    /** Nothing was written. No effect when another epoch writes it. */
    void withdraw(Assignment worker, VenueClientOrderId id) {
        postgres.update(WITHDRAW, worker.userId().value(), id.order().value(), id.version(), worker.epoch());
    }

    /** What may have been written, by any epoch. */
    KnownIntent find(Assignment worker, VenueClientOrderId id) {
        return postgres
                .query(
                        READ,
                        (row, _) -> new KnownIntent(intent(row)),
                        worker.epoch(),
                        FixJournals.KEPT,
                        "\u000111=" + id + "\u0001",
                        worker.userId().value(),
                        id.order().value(),
                        id.version())
                .stream()
                .findFirst()
                .orElseGet(() -> new KnownIntent(null));
    }

    private static OrderIntent intent(ResultSet row) throws SQLException {
        return new OrderIntent(
                row.getString("symbol"),
                Side.valueOf(row.getString("side")),
                new OrderTerms(
                        new Decimal(row.getBigDecimal("quantity")),
                        decimal(row.getBigDecimal("limit_price")),
                        decimal(row.getBigDecimal("stop_price"))),
                row.getTimestamp("intended_at").toInstant(),
                row.getString("venue_order_id"),
                row.getBoolean("unwritten"));
    }

    /** Whose orders have these ids at the broker. */
    Claims claims(Assignment worker, ClaimsQuery query) {
        return new Claims(postgres.query(
                CLAIMS,
                (row, _) -> new OrderClaim(
                        row.getString("venue_order_id"),
                        new VenueClientOrderId(
                                        new ClientOrderId(row.getString("client_order_id")), row.getInt("version"))
                                .toString(),
                        OrderStatus.valueOf(row.getString("status")).isFinal()),
                worker.userId().value(),
                query.account().toString(),
                query.venueOrderIds().toArray(String[]::new)));
    }
}
