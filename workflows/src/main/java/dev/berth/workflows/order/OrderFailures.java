package dev.berth.workflows.order;

import dev.berth.workflows.order.Reason.Category;

/** Every reason that Berth itself gives. */
public final class OrderFailures {
    /** No worker took the order before its deadline. */
    public static Reason notTaken(OrderRequest request) {
        return new Reason(
                Category.CAPACITY,
                "not-taken",
                "No worker took the order within " + request.dispatchWithin() + "; it was never sent to the venue.");
    }

    /** It surely is not at the venue, and may not be sent any more. */
    public static Reason notSent(OrderRequest request) {
        return new Reason(
                Category.CAPACITY,
                "not-sent",
                "The order did not reach the venue within " + request.dispatchWithin() + " and was not sent again.");
    }

    public static Reason outcomeUnknown() {
        return new Reason(
                Category.BROKER,
                "outcome-unknown",
                "The worker lost sight of the order while it was being sent; the venue is being asked.");
    }

    private OrderFailures() {}
}
