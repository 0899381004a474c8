package dev.berth.activities.order;

import dev.berth.activities.broker.AccountStore;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What PostgreSQL must be asked before an order is accepted: three reads by primary key in one
 * round trip.
 */
public final class SubmissionLookup {
    private static final String READ = """
            SELECT (SELECT state FROM orders WHERE user_id = ? AND client_order_id = ?) AS earlier,
              (SELECT file_number FROM archived_orders WHERE user_id = ? AND client_order_id = ?) AS archive_file,
              coalesce((SELECT ciphertext IS NOT NULL FROM accounts WHERE user_id = ? AND account = ?), ?) AS has_account
            """;

    private final JdbcTemplate postgres;
    private final AccountStore accounts;

    public SubmissionLookup(JdbcTemplate postgres, AccountStore accounts) {
        this.postgres = postgres;
        this.accounts = accounts;
    }

    /**
     * What stands there.
     *
     * @param earlier the order that this user submitted under this id before
     * @param archive the number of the archive's file that this order is in; 0 for none
     * @param hasAccount whether the order's account has credentials
     */
    public record Answer(Optional<OrderState> earlier, long archive, boolean hasAccount) {}

    /** Reads all three. */
    public Answer of(OrderRequest order) {
        return postgres.query(
                        READ,
                        (row, _) -> new Answer(
                                Optional.ofNullable(row.getString("earlier"))
                                        .map(json -> Json.read(json, OrderState.class)),
                                row.getLong("archive_file"),
                                row.getBoolean("has_account")),
                        order.userId().value(),
                        order.clientOrderId().value(),
                        order.userId().value(),
                        order.clientOrderId().value(),
                        order.userId().value(),
                        order.account().toString(),
                        accounts.isDefault(order.account()))
                .getFirst();
    }
}
