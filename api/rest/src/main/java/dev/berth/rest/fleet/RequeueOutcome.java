package dev.berth.rest.fleet;

import dev.berth.rest.order.OrderRequeue.Line;
import dev.berth.rest.order.OrderRequeue.RequeueResult;
import java.util.List;

/**
 * The result of a requeue or a dry run.
 *
 * @param requeued number of requeued orders
 * @param wouldRequeue number of orders that a dry run would requeue
 * @param refused number of refused orders
 */
record RequeueOutcome(boolean dryRun, long requeued, long wouldRequeue, long refused, List<Line> orders) {
    static RequeueOutcome of(boolean dryRun, List<Line> orders) {
        return new RequeueOutcome(
                dryRun,
                count(orders, RequeueResult.REQUEUED),
                count(orders, RequeueResult.WOULD_REQUEUE),
                count(orders, RequeueResult.REFUSED),
                orders);
    }

    private static long count(List<Line> orders, RequeueResult result) {
        return orders.stream().filter(order -> order.result() == result).count();
    }
}
