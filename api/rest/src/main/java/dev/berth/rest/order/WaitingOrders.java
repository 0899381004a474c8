package dev.berth.rest.order;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import io.lettuce.core.RedisException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Lists orders that wait for their worker: their workflows write nothing before the venue's answer,
 * or before they ask for a worker.
 */
@Component
class WaitingOrders {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingOrders.class);
    /** The venue has answered most orders by then. */
    private static final Duration LIST_AFTER = Duration.ofSeconds(1);

    private static final String LIST = """
            INSERT INTO orders (user_id, client_order_id, request_hash, symbol, status, revision, submitted_at, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb) ON CONFLICT DO NOTHING
            """;

    private final Executor later =
            CompletableFuture.delayedExecutor(LIST_AFTER.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);
    private final JdbcTemplate postgres;
    private final ActiveOrders active;

    WaitingOrders(JdbcTemplate postgres, ActiveOrders active) {
        this.postgres = postgres;
        this.active = active;
    }

    /**
     * Lists the order unless it has its first answer by then. Does not fail: the order is listed
     * with its answer at the latest.
     */
    void listLater(OrderState accepted) {
        later.execute(() -> {
            try {
                list(accepted);
            } catch (RedisException | DataAccessException unavailable) {
                LOG.warn("an order that waits is not listed yet: {}", unavailable.getMessage());
            }
        });
    }

    private void list(OrderState accepted) {
        OrderRequest request = accepted.request();
        if (!active.has(new ActiveOrders.ActiveOrder(request.userId(), request.clientOrderId()))) {
            return;
        }
        postgres.update(
                LIST,
                request.userId().value(),
                request.clientOrderId().value(),
                request.contentHash(),
                request.symbol(),
                accepted.status().name(),
                accepted.revision(),
                Timestamp.from(request.submittedAt()),
                Json.write(accepted));
    }
}
