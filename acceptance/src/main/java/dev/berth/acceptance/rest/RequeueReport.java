package dev.berth.acceptance.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a requeue, or of a dry run. */
public record RequeueReport(long refused, List<Line> orders) {
    /**
     * One order.
     *
     * @param result {@code requeued}, {@code wouldRequeue} or {@code refused}
     * @param why the order was refused
     */
    public record Line(String id, String result, @Nullable String why) {}
}
