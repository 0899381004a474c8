package dev.berth.activities.worker;

import dev.berth.routing.StreamEvents;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderFailures;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.worker.AvailabilityNotices;
import dev.berth.workflows.worker.WorkerAvailability;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes availability to admission by Redis, and to waiting orders by a signal. */
public final class RedisAvailabilityNotices implements AvailabilityNotices {
    /**
     * Orders of a user without a worker leave the count of all users, and return with the worker.
     * KEYS: notice, active orders of all users, active orders of the user. ARGV: field that
     * excludes the user, whether it is set, then each refused account and the reason. Returns the
     * user's active orders.
     */
    private static final String PUBLISH = """
            redis.call('DEL', KEYS[1])
            for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
            local active = redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES')
            if ARGV[2] == 'true' then redis.call('HSET', KEYS[1], ARGV[1], '1') end
            local orders = {}
            for i = 1, #active, 2 do
              orders[#orders + 1] = active[i]
              if ARGV[2] == 'true' then
                redis.call('ZREM', KEYS[2], active[i])
              else
                redis.call('ZADD', KEYS[2], 'NX', active[i + 1], active[i])
              end
            end
            return orders
            """;

    private static final Logger LOG = LoggerFactory.getLogger(RedisAvailabilityNotices.class);

    private final RedisCommands<String, String> redis;
    private final WorkflowClient temporal;

    public RedisAvailabilityNotices(RedisCommands<String, String> redis, WorkflowClient temporal) {
        this.redis = redis;
        this.temporal = temporal;
    }

    @Override
    public void publish(UserId userId, WorkerAvailability availability) {
        List<String> values = new ArrayList<>(List.of(RedisKeys.WAITS, Boolean.toString(availability.waits())));
        availability
                .refused()
                .forEach((account, why) -> values.addAll(List.of(
                        account,
                        OrderFailures.credentialsRefused(AccountKey.parse(account), why)
                                .toString())));
        List<String> orders = redis.eval(
                PUBLISH,
                ScriptOutputType.MULTI,
                new String[] {RedisKeys.unserved(userId), RedisKeys.ACTIVE_ORDERS, RedisKeys.activeOrders(userId)},
                values.toArray(String[]::new));
        availability
                .refused()
                .forEach((account, why) ->
                        orders.forEach(order -> refuse(WorkflowIds.ORDER + order, AccountKey.parse(account), why)));
        new StreamEvents(redis).publishWorker(userId);
    }

    private void refuse(String workflowId, AccountKey account, String why) {
        try {
            temporal.newWorkflowStub(OrderWorkflow.class, workflowId).accountRefused(account, why);
        } catch (WorkflowNotFoundException closed) {
            // The order no longer waits.
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "cannot signal {} that its account is refused; the order polls: {}",
                    workflowId,
                    unavailable.getMessage());
        }
    }
}
