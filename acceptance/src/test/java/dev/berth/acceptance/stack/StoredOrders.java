package dev.berth.acceptance.stack;

import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.Trader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** The read model of orders in PostgreSQL. */
public record StoredOrders(Stack stack) {
    private static final Duration CATCHES_UP = Duration.ofSeconds(40);

    /** Waits until so many orders of the user are stored as filled. */
    public void awaitFilled(Trader trader, int number) {
        await().atMost(CATCHES_UP).until(() -> filled(trader) == number);
    }

    private int filled(Trader trader) throws SQLException {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement count = postgres.prepareStatement(
                        "SELECT count(*) FROM orders WHERE user_id = ? AND status = 'FILLED'")) {
            count.setString(1, trader.user());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
