package dev.berth.host.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.VenueReport;
import io.temporal.client.WorkflowClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** Passes on what the venue says: to the order's workflow by signal, to whoever listens over Redis. */
public final class OrderNews {
    private static final Logger LOG = LoggerFactory.getLogger(OrderNews.class);

    private final UserId userId;
    private final Reporting reporting;
    private final UnifiedJedis redis;
    private final Attempts attempts;

    public OrderNews(UserId userId, WorkflowClient temporal, UnifiedJedis redis, Attempts attempts) {
        this.userId = userId;
        this.reporting = new Reporting(userId, temporal);
        this.redis = redis;
        this.attempts = attempts;
    }

    /** News of an order in hand come with its answer instead. */
    public void hear(ClientOrderId id, VenueReport report) {
        if (!attempts.keepNews(id, report)) {
            report(id, report);
        }
    }

    /** Tells Temporal, whether or not the order's workflow is over. */
    void report(ClientOrderId id, VenueReport report) {
        reporting.report(id, report);
    }

    /** Beside the activity's own answer, which takes the longer way. */
    void publish(OrderState state) {
        Thread.ofVirtual().start(() -> {
            try {
                redis.publish(RedisKeys.orderEvents(userId), Json.write(state));
            } catch (JedisException away) {
                LOG.warn("order news not published, Redis is away: {}", away.getMessage());
            }
        });
    }
}
