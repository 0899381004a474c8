package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import io.temporal.workflow.Workflow;

/** What a search for orders finds: their status, and whether they wait for a person. */
final class OrderVisibility {
    private OrderVisibility() {}

    /** An order that never reached the venue waits for a person. */
    static void show(OrderStatus status) {
        if (status == OrderStatus.FAILED) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.ORDER_STATUS.valueSet(status.name()),
                    BerthSearchAttributes.ATTENTION.valueSet(true));
        } else {
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ORDER_STATUS.valueSet(status.name()));
        }
    }

    static void showAttention(boolean required) {
        Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(required));
    }
}
