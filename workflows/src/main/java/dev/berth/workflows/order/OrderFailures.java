package dev.berth.workflows.order;

/** What is said of the failures that a workflow finds. */
final class OrderFailures {
    private OrderFailures() {}

    static Reason notTaken(OrderRequest request) {
        return FailureCode.NOT_TAKEN.because(
                "No worker took the order within " + request.dispatchWithin() + "; it was never sent to the venue.");
    }

    static Reason notSent(OrderRequest request) {
        return FailureCode.NOT_SENT.because(
                "The order did not reach the venue within " + request.dispatchWithin() + " and was not sent again.");
    }

    static Reason outcomeUnknown() {
        return FailureCode.OUTCOME_UNKNOWN.because(
                "The worker lost sight of the order while it was being sent; the venue is being asked.");
    }

    static Reason unknownAfterReset() {
        return FailureCode.OUTCOME_UNKNOWN.because(
                "The order's workflow was reset, and an earlier run of it may have sent the order; the venue is being asked.");
    }

    static Reason tooLateToReplace() {
        return FailureCode.NOT_REPLACED.because("The order was filled as far as that before it could be replaced.");
    }

    static Reason replacementLost() {
        return FailureCode.NOT_REPLACED.because("The replacement did not reach the venue; the order is as it was.");
    }

    static Reason replacedElsewhere() {
        return FailureCode.REPLACED_ELSEWHERE.because(
                "Another order took its place at the venue, and not by Berth. Look there.");
    }
}
