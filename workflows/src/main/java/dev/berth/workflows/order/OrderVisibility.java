package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import io.temporal.common.SearchAttributeUpdate;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/** What a search for orders finds: their status, and whether they wait for a person. */
final class OrderVisibility {
    private OrderVisibility() {}

    /** What called for a person is shown until it is seen, but for what may pass by itself. */
    static void show(OrderState before, OrderState after) {
        List<SearchAttributeUpdate<?>> updates = new ArrayList<>();
        if (before.status() != after.status()) {
            updates.add(
                    BerthSearchAttributes.ORDER_STATUS.valueSet(after.status().name()));
        }
        boolean waited = waitsForPerson(before);
        boolean waits = waitsForPerson(after);
        if (waits != waited && (waits || FailureCode.mayPass(before.reason()))) {
            updates.add(BerthSearchAttributes.ATTENTION.valueSet(waits));
        }
        if (!updates.isEmpty()) {
            Workflow.upsertTypedSearchAttributes(updates.toArray(SearchAttributeUpdate[]::new));
        }
    }

    /**
     * Many orders that rest end within seconds, and each upsert is a billable action: what still
     * rests at its first check is shown then.
     */
    static boolean isShownByFirstCheck(OrderState before, OrderState after) {
        boolean wasOnItsWay = before.status() == OrderStatus.PENDING || before.status() == OrderStatus.DISPATCHED;
        return wasOnItsWay && after.status() == OrderStatus.NEW && !waitsForPerson(after);
    }

    static void showStatus(OrderState order) {
        Workflow.upsertTypedSearchAttributes(
                BerthSearchAttributes.ORDER_STATUS.valueSet(order.status().name()));
    }

    static void showAttention() {
        Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(true));
    }

    /** One that never reached the venue does. */
    private static boolean waitsForPerson(OrderState order) {
        return order.status() == OrderStatus.FAILED || FailureCode.needsAttention(order.reason());
    }
}
