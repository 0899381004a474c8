package dev.berth.host.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import io.temporal.client.WorkflowClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** Passes execution reports on: to the order's workflow by signal, to subscribers by Redis. */
public final class ExecutionReportPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutionReportPublisher.class);

    private final UserId userId;
    private final ReportDelivery delivery;
    private final UnifiedJedis redis;
    private final Attempts attempts;

    public ExecutionReportPublisher(UserId userId, WorkflowClient temporal, UnifiedJedis redis, Attempts attempts) {
        this.userId = userId;
        this.delivery = new ReportDelivery(userId, temporal);
        this.redis = redis;
        this.attempts = attempts;
    }

    /** A report of an order that is being sent returns with the activity's result instead. */
    public void onReport(ClientOrderId id, ExecutionReport report) {
        if (!attempts.keepReport(id, report)) {
            deliver(id, report);
        }
    }

    /** Signals the order's workflow, or the one for late reports. */
    void deliver(ClientOrderId id, ExecutionReport report) {
        delivery.deliver(id, report);
    }

    /** Publishes at once; the activity's result takes longer. */
    void publish(OrderState state) {
        Thread.ofVirtual().start(() -> {
            try {
                redis.publish(RedisKeys.orderEvents(userId), Json.write(state));
            } catch (JedisException unavailable) {
                LOG.warn("order state not published, Redis is unavailable: {}", unavailable.getMessage());
            }
        });
    }
}
