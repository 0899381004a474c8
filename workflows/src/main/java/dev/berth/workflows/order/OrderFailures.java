package dev.berth.workflows.order;

import dev.berth.workflows.broker.AccountKey;

/** The texts of failures that Berth finds itself. */
public final class OrderFailures {
    private OrderFailures() {}

    static Reason notTaken(OrderRequest request) {
        return FailureCode.NOT_TAKEN.because(
                "No worker took the order within " + request.dispatchWithin() + "; it was never sent to the venue.");
    }

    /** What kept workers from sending it until the deadline. */
    static Reason declined(OrderRequest request, SubmitOutcome.Declined last) {
        String never = " within " + request.dispatchWithin() + "; it was never sent to the venue.";
        return switch (last.cause()) {
            case NOT_SENT ->
                last.reason() == null
                        ? FailureCode.BROKER_UNAVAILABLE.because(
                                "The broker could not be reached, or took nothing," + never)
                        : last.reason();
            case NO_SESSION ->
                FailureCode.NO_SESSION.because(
                        "Account " + request.account() + " had no session at its broker" + never);
            case HELD ->
                last.reason() == null
                        ? FailureCode.NOT_SENT.because(
                                "Whether a kill switch or a limit stops the order could not be found out" + never)
                        : last.reason();
            case FENCED, FORBIDDEN, DEADLINE_PASSED, CANCELED, RISK -> notTaken(request);
        };
    }

    /** Why a worker sent nothing. The order is handed to a worker again. */
    static Reason declined(SubmitOutcome.Declined declined) {
        if (declined.reason() != null) {
            return declined.reason();
        }
        String why = switch (declined.cause()) {
            case FENCED -> "its lease had run out";
            case FORBIDDEN -> "it had already answered that it does not send this attempt";
            case NOT_SENT -> "the broker could not be reached, or took nothing";
            case NO_SESSION -> "the account had no session at its broker";
            case HELD -> "whether a kill switch or a limit stops the order could not be found out";
            case DEADLINE_PASSED -> "the deadline had passed";
            case CANCELED -> "the order was canceled";
            case RISK -> "a kill switch or a limit forbids it";
        };
        return FailureCode.DECLINED.because("A worker took the order and sent nothing: " + why + ".");
    }

    /** No worker can send the account's orders. */
    public static Reason credentialsRefused(AccountKey account, String why) {
        return FailureCode.CREDENTIALS_REFUSED.because("Account " + account + " cannot be used: " + why
                + " Store other credentials, or start the worker (POST /v1/worker) to try these again.");
    }

    static Reason notSent(OrderRequest request) {
        return FailureCode.NOT_SENT.because(
                "The order did not reach the venue within " + request.dispatchWithin() + " and was not sent again.");
    }

    static Reason outcomeUnknown() {
        return FailureCode.OUTCOME_UNKNOWN.because(
                "The worker lost sight of the order while it was being sent; the venue is being asked.");
    }

    static Reason unanswered() {
        return FailureCode.UNANSWERED.because("For " + OrderPolicies.CALL_AFTER.toMinutes()
                + " min no worker has been able to find out how the order stands at the venue; it is still being asked. Its worker"
                + " or its account's session may be unavailable, or an earlier worker is not proven dead.");
    }

    static Reason unresolved() {
        return FailureCode.UNRESOLVED.because("The order may have been sent, and the broker does not find it. It is not"
                + " sent again, since this broker would take it a second time. Look there, and resolve it with"
                + " POST /v1/fleet/attention:resolve; until then the broker is still being asked.");
    }

    static Reason notFoundAs(OrderResolution resolution) {
        return FailureCode.UNRESOLVED.because("The broker has no order " + resolution.venueOrderId()
                + " in this account. Resolve it with the id that the broker shows, or as absent. (" + resolution.by()
                + ")");
    }

    static Reason unconfirmed() {
        return FailureCode.UNCONFIRMED.because("For " + OrderPolicies.CALL_AFTER.toMinutes()
                + " min the venue has not confirmed what it was asked for; it is still being asked how the order stands."
                + " A cancel may be repeated.");
    }

    static Reason unknownAfterReset() {
        return FailureCode.OUTCOME_UNKNOWN.because(
                "The order's workflow was reset, and an earlier run of it may have sent the order; the venue is being asked.");
    }

    static Reason adopted() {
        return FailureCode.ADOPTED.because("The order's workflow was ended while the order was open, and began again."
                + " An order that is not wanted any more has to be canceled.");
    }

    static Reason tooLateToReplace() {
        return FailureCode.NOT_REPLACED.because("The order was filled as far as that before it could be replaced.");
    }

    static Reason replacementRejected() {
        return FailureCode.NOT_REPLACED.because(
                "The broker took the replacement and then rejected it; the order is as it was, unless it is over by now.");
    }

    static Reason replacementLost() {
        return FailureCode.NOT_REPLACED.because("The replacement did not reach the venue; the order is as it was.");
    }

    public static Reason busted() {
        return FailureCode.BUST.because(
                "The venue busted or corrected an execution; positions are not what they were.");
    }

    public static Reason executionsDiffer() {
        return FailureCode.EXECUTIONS_DIFFER.because(
                "The venue told of more executions than it says is filled. The last ones are not booked.");
    }

    public static Reason arrivedLate(boolean isOver) {
        return FailureCode.LATE_ARRIVAL.because("The venue took the order after it had been taken for lost. "
                + (isOver ? "It is over there." : "It is being canceled there."));
    }

    static Reason replacedElsewhere() {
        return FailureCode.REPLACED_ELSEWHERE.because(
                "Another order took its place at the venue, and not by Berth. Look there.");
    }
}
