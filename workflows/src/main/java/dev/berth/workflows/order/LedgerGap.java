package dev.berth.workflows.order;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the stream did not tell. An execution that nobody listened to, such as one in the moment before a session's
 * stream was there, shows in the totals alone; so at the end of an order its worker is asked for what does not add up.
 */
final class LedgerGap {
    /** Names a change of this code in histories. */
    private static final String ASKS = "asks-for-missing-executions";

    private final OrderProgress at;
    private final Map<String, Execution> told = new HashMap<>();

    LedgerGap(OrderProgress at) {
        this.at = at;
    }

    void heard(List<Execution> executions) {
        executions.forEach(execution ->
                told.merge(execution.executionId(), execution, (before, again) -> again.busted() ? again : before));
    }

    /**
     * Asks until nothing is missing, but not for ever: the order is over, and right without. After a continuation nothing
     * counts as told, so one question more is asked.
     */
    void close() {
        if (missing().isEmpty() || !Changes.isMade(ASKS)) {
            return;
        }
        Pauses pauses = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_ASK);
        for (int asked = 0; asked < OrderPolicies.LEDGER_ASKS && !missing().isEmpty(); asked++) {
            Waiting.until(pauses.next(), "executions are missing; then ask again", at::hasNews);
            at.hearLateNews();
            missing().forEach(this::ask);
        }
    }

    private List<Leg> missing() {
        return at.order().legs().stream()
                .filter(leg ->
                        Execution.total(toldOf(leg)).compareTo(leg.filled().value()) < 0)
                .toList();
    }

    private List<Execution> toldOf(Leg leg) {
        return told.values().stream()
                .filter(execution -> execution.leg() == leg.number())
                .toList();
    }

    private void ask(Leg leg) {
        FindOrder question = new FindOrder(at.request, leg.number(), at.order().attempts());
        if (OrderProgress.ask(() -> at.venue.findExecutions(question)) instanceof FindOutcome.Found(var report)) {
            at.tell(report);
        }
        at.hearLateNews();
    }
}
