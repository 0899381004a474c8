package dev.berth.activities.risk;

import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderStatus;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which orders have their first answer, as the read model knows. */
public final class AnsweredOrders {
    private static final String READ = """
            SELECT user_id, client_order_id, status FROM orders
            WHERE (user_id, client_order_id) IN (SELECT * FROM unnest(?::text[], ?::text[]))
            """;

    private final JdbcTemplate postgres;

    public AnsweredOrders(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** Those of these that have one; of the others nothing is known. */
    public Set<Active> among(Collection<Active> orders) {
        Set<Active> answered = new HashSet<>();
        if (orders.isEmpty()) {
            return answered;
        }
        postgres.query(
                READ,
                row -> {
                    if (!OrderStatus.valueOf(row.getString("status")).isUnanswered()) {
                        answered.add(new Active(
                                new UserId(row.getString("user_id")),
                                new ClientOrderId(row.getString("client_order_id"))));
                    }
                },
                orders.stream().map(order -> order.userId().value()).toArray(String[]::new),
                orders.stream().map(order -> order.clientOrderId().value()).toArray(String[]::new));
        return answered;
    }
}
