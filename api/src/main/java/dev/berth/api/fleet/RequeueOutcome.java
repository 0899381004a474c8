package dev.berth.api.fleet;

import dev.berth.api.order.OrderRequeue.Line;
import dev.berth.api.order.OrderRequeue.Result;
import java.util.List;

/**
 * What a requeue did, or would do.
 *
 * @param requeued how many were
 * @param wouldRequeue how many a dry run found fit
 * @param refused how many were not, each with why
 */
record RequeueOutcome(boolean dryRun, long requeued, long wouldRequeue, long refused, List<Line> orders) {
    static RequeueOutcome of(boolean dryRun, List<Line> orders) {
        return new RequeueOutcome(
                dryRun,
                count(orders, Result.REQUEUED),
                count(orders, Result.WOULD_REQUEUE),
                count(orders, Result.REFUSED),
                orders);
    }

    private static long count(List<Line> orders, Result result) {
        return orders.stream().filter(order -> order.result() == result).count();
    }
}
