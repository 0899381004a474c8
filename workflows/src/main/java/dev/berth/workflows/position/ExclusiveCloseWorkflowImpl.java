package dev.berth.workflows.position;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.account.AccountPosition;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads, cancels the exits, reads again, and sells or buys back what nothing else closes. */
public final class ExclusiveCloseWorkflowImpl implements ExclusiveCloseWorkflow {
    @Override
    public CloseReport run(CloseRequest request) {
        WorkflowIds.requireOwn(WorkflowIds.exclusiveClose(request.userId(), request.account()));
        ClosingAccount account = new ClosingAccount(request);
        PositionOrders orders = new PositionOrders(request);
        AccountSnapshot found = account.read();
        Map<String, PositionClose> items = orders.refused(found);
        AccountSnapshot free = cancelExits(account, found, Set.copyOf(items.keySet()));
        orders.submit(free.positions(items.keySet()), free).forEach(item -> items.put(item.symbol(), item));
        return report(request, found, items);
    }

    /** Returns what was read when no exit was left, or when the time for that was up. */
    private static AccountSnapshot cancelExits(ClosingAccount account, AccountSnapshot found, Set<String> refused) {
        Instant begunAt = now();
        ExponentialBackoff pauses = PositionPolicies.looks();
        AccountSnapshot snapshot = found;
        while (true) {
            List<AccountPosition> positions = snapshot.positions(refused);
            boolean waits = waits(snapshot, positions, Duration.between(begunAt, now()));
            if (positions.isEmpty() || (!waits && isFresh(snapshot))) {
                return snapshot;
            }
            if (waits) {
                account.cancel(snapshot.cancelable(positions));
                Workflow.sleep(pauses.next());
            }
            snapshot = account.read();
        }
    }

    private static boolean waits(AccountSnapshot snapshot, List<AccountPosition> positions, Duration passed) {
        return (snapshot.hasExits(positions) && passed.compareTo(PositionPolicies.EXITS_CANCELED) < 0)
                || (snapshot.hasUnanswered(positions) && passed.compareTo(PositionPolicies.ORDERS_ANSWERED) < 0);
    }

    private static boolean isFresh(AccountSnapshot snapshot) {
        return Duration.between(snapshot.begunAt(), now()).compareTo(PositionPolicies.FRESH) <= 0;
    }

    /** In the account's order, with those that were closed before an order was needed. */
    private static CloseReport report(CloseRequest request, AccountSnapshot found, Map<String, PositionClose> items) {
        Map<String, PositionClose> all = new LinkedHashMap<>();
        for (AccountPosition position : found.positions(Set.of())) {
            all.put(position.symbol(), PositionClose.skipped(position, "It was closed meanwhile."));
        }
        all.putAll(items);
        if (all.isEmpty() && request.symbol() != null) {
            all.put(request.symbol(), PositionClose.none(request.symbol(), "The account has no such position."));
        }
        return new CloseReport(new ArrayList<>(all.values()));
    }
}
