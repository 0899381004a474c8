package dev.berth.activities.order;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Timestamp;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** Writes orders to PostgreSQL and publishes their news on Redis. */
public final class PostgresOrderRecords implements OrderRecords {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresOrderRecords.class);

    /** A state that is older than the stored one comes from a repeated write and is dropped. */
    private static final String UPSERT = """
            INSERT INTO orders
              (user_id, client_order_id, request_hash, symbol, status, revision, submitted_at, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb)
            ON CONFLICT (user_id, client_order_id) DO UPDATE
              SET status = excluded.status, revision = excluded.revision, state = excluded.state
              WHERE orders.revision < excluded.revision
            """;

    private static final String ADD_EVENT = """
            INSERT INTO order_events (user_id, client_order_id, revision, at, state)
            VALUES (?, ?, ?, ?, ?::jsonb)
            ON CONFLICT DO NOTHING
            """;

    private final JdbcTemplate postgres;
    private final RedisCommands<String, String> redis;

    public PostgresOrderRecords(JdbcTemplate postgres, RedisCommands<String, String> redis) {
        this.postgres = postgres;
        this.redis = redis;
    }

    @Override
    public void record(List<OrderState> steps) {
        for (OrderState step : steps) {
            OrderRequest request = step.request();
            postgres.update(
                    ADD_EVENT,
                    request.userId().value(),
                    request.clientOrderId().value(),
                    step.revision(),
                    Timestamp.from(step.changedAt()),
                    Json.write(step));
        }
        OrderState last = steps.getLast();
        OrderRequest request = last.request();
        postgres.update(
                UPSERT,
                request.userId().value(),
                request.clientOrderId().value(),
                request.contentHash(),
                request.symbol(),
                last.status().name(),
                last.revision(),
                Timestamp.from(request.submittedAt()),
                Json.write(last));
        publish(last);
    }

    /** News are a convenience: who misses one asks. */
    private void publish(OrderState state) {
        try {
            redis.publish(RedisKeys.orderEvents(state.request().userId()), Json.write(state));
        } catch (RedisException away) {
            LOG.warn("order news not published, Redis is away: {}", away.getMessage());
        }
    }
}
