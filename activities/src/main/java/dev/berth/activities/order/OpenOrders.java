package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Who has open orders, of Berth or made elsewhere, and where. */
public final class OpenOrders {
    private static final String OF_USER =
            "SELECT state FROM orders WHERE user_id = ? AND (open OR client_order_id = ANY (?))"
                    + " ORDER BY submitted_at DESC, client_order_id DESC LIMIT ?";

    private static final String ACCOUNT = """
            concat_ws('/', state #>> '{request,account,broker}', state #>> '{request,account,market}',
              lower(state #>> '{request,account,environment}'), state #>> '{request,account,accountId}')
            """;

    /** In the order of Java's texts, whatever the database's. Without the named broker: of all. */
    private static final String USERS = """
            SELECT user_id FROM (
              SELECT user_id FROM orders
              WHERE open AND user_id > ? COLLATE "C" AND (?::text IS NULL OR state #>> '{request,account,broker}' = ?)
              UNION
              SELECT user_id FROM account_parts
              WHERE part = 'ORDERS' AND content <> '[]'::jsonb AND user_id > ? COLLATE "C"
                AND (?::text IS NULL OR split_part(account, '/', 1) = ?)
            ) users ORDER BY user_id COLLATE "C" LIMIT ?
            """;

    private static final String ACCOUNTS = "SELECT " + ACCOUNT + " AS account FROM orders WHERE user_id = ? AND open"
            + " UNION SELECT account FROM account_parts WHERE user_id = ? AND part = 'ORDERS'"
            + " AND (? OR content <> '[]'::jsonb)";

    private final JdbcTemplate postgres;

    public OpenOrders(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * The user's open orders of Berth, newest first.
     *
     * @param listed are among them even when they are over
     */
    public List<OrderState> of(UserId userId, Collection<ClientOrderId> listed, int limit) {
        String[] ids = listed.stream().map(ClientOrderId::value).toArray(String[]::new);
        return postgres.queryForList(OF_USER, String.class, userId.value(), ids, limit).stream()
                .map(json -> Json.read(json, OrderState.class))
                .toList();
    }

    /**
     * Users with an open order, in the order of their ids.
     *
     * @param after null for the first
     * @param broker null for any
     */
    public List<UserId> users(@Nullable UserId after, @Nullable String broker, int limit) {
        String last = Optional.ofNullable(after).map(UserId::value).orElse("");
        return postgres.queryForList(USERS, String.class, last, broker, broker, last, broker, broker, limit).stream()
                .map(UserId::new)
                .toList();
    }

    /**
     * A user's accounts with open orders.
     *
     * @param quiet whether accounts count in which no order was open when they were reported last
     */
    public List<AccountKey> accounts(UserId userId, boolean quiet) {
        return postgres.queryForList(ACCOUNTS, String.class, userId.value(), userId.value(), quiet).stream()
                .map(AccountKey::parse)
                .toList();
    }
}
