package dev.berth.workflows.order;

import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.TimedAwait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Executions that the stream did not bring, or not legibly. One that happened before the session's
 * stream was open shows in the totals alone; so the worker is asked for the versions whose
 * executions do not add up: of the one at the venue instead of a check, of each at the order's end.
 */
final class MissingExecutions {
    private final CurrentOrder order;
    private final Map<String, Execution> reported = new HashMap<>();

    MissingExecutions(CurrentOrder order) {
        this.order = order;
    }

    void reported(List<Execution> executions) {
        executions.forEach(execution -> reported.merge(
                execution.executionId(), execution, (before, again) -> before.busted() ? before : again));
    }

    /**
     * Asks until nothing is missing, but not for ever: the order is over, and right without. A new
     * run begins without the executions of the run before, which may be thousands, and asks once
     * more instead.
     */
    void find() {
        ExponentialBackoff pauses = new ExponentialBackoff(OrderPolicies.FIRST_RETRY, OrderPolicies.LONGEST_RETRY);
        for (int asked = 0;
                asked < OrderPolicies.EXECUTION_QUERIES && !missing().isEmpty();
                asked++) {
            TimedAwait.until(pauses.next(), "executions are missing; then ask again", order::hasReports);
            order.applyLateReports();
            missing().forEach(this::ask);
        }
    }

    /** Whether executions of this version are missing. */
    boolean isMissing(OrderVersion version) {
        return Execution.total(reportedOf(version)).compareTo(version.filled().value()) < 0;
    }

    private List<OrderVersion> missing() {
        return order.state().versions().stream().filter(this::isMissing).toList();
    }

    private List<Execution> reportedOf(OrderVersion version) {
        return reported.values().stream()
                .filter(execution -> execution.version() == version.number())
                .toList();
    }

    private void ask(OrderVersion version) {
        FindOrder question =
                new FindOrder(order.request, version.number(), order.state().attempts());
        if (CurrentOrder.askAbout(version.number(), () -> order.venue.findExecutions(question))
                instanceof FindOutcome.Found(var report, var _)) {
            order.report(report);
        }
        order.applyLateReports();
    }
}
