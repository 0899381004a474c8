package dev.berth.host.order;

import dev.berth.workflows.UserId;
import io.temporal.client.WorkflowClient;
import java.util.function.BooleanSupplier;
import redis.clients.jedis.UnifiedJedis;

/**
 * Everything of this process that handles orders, put together.
 *
 * @param submit for the orders queue
 * @param control for the control queue
 */
public record OrderDesk(
        Sessions sessions, Attempts attempts, OrderNews news, SubmitActivity submit, ControlActivity control) {

    /** Puts it together for one user and epoch; nothing is open yet. */
    public static OrderDesk of(
            UserId userId, long epoch, WorkflowClient temporal, UnifiedJedis redis, BooleanSupplier leaseIsValid) {
        Sessions sessions = new Sessions();
        Attempts attempts = new Attempts();
        OrderNews news = new OrderNews(userId, temporal, redis, attempts);
        SendGate gate = new SendGate(leaseIsValid);
        return new OrderDesk(
                sessions,
                attempts,
                news,
                new SubmitActivity(sessions, attempts, gate, news),
                new ControlActivity(sessions, attempts, epoch));
    }
}
