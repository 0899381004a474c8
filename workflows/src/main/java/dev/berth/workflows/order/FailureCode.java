package dev.berth.workflows.order;

import dev.berth.workflows.order.Reason.Category;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every failure that Berth itself names: whose it is, and whether a person may give the order
 * another chance. What is tried again by itself before it comes to that stands in
 * {@link SubmitOutcome.Cause}.
 */
public enum FailureCode {
    /** A worker took the order and sent nothing; it is handed to a worker again. */
    DECLINED(Category.CAPACITY, "declined", false),
    /** No worker took the order before its deadline. */
    NOT_TAKEN(Category.CAPACITY, "not-taken", true),
    /** Its user, or all users, were suspended until its deadline. */
    SUSPENDED(Category.CAPACITY, "suspended", true),
    /** It is proven not to be at the venue, and may not be sent any more. */
    NOT_SENT(Category.CAPACITY, "not-sent", true),
    /**
     * Workers took it, and their broker could not be reached or took nothing, until its deadline.
     */
    BROKER_UNAVAILABLE(Category.BROKER, "broker-unavailable", true),
    /** The customer's machine that serves its account was not connected until its deadline. */
    REMOTE_UNAVAILABLE(Category.BROKER, "remote-unavailable", true),
    /** Workers took it, and its account had no session there, until its deadline. */
    NO_SESSION(Category.BROKER, "no-session", true),
    /**
     * The broker refused the account's credentials, or there are none: no worker can send its
     * orders.
     */
    CREDENTIALS_REFUSED(Category.BROKER, "credentials-refused", true),
    /** It may or may not be at the venue; the venue is being asked. */
    OUTCOME_UNKNOWN(Category.BROKER, "outcome-unknown", false),
    /** No worker has been able to find out for long how it stands at the venue. */
    UNANSWERED(Category.BROKER, "unanswered", false),
    /** It was perhaps written, and the broker's answers cannot tell whether it is there. */
    UNRESOLVED(Category.BROKER, "unresolved", false),
    /** Another order of the account, symbol and side may be at the broker. */
    ORDER_IN_DOUBT(Category.BROKER, "order-in-doubt", true),
    /** A replacement came too late, or the venue did not take it. */
    NOT_REPLACED(Category.BROKER, "not-replaced", false),
    /** The venue refused to cancel it. */
    NOT_CANCELED(Category.BROKER, "not-canceled", false),
    /** The venue has not confirmed for long what it was asked for. */
    UNCONFIRMED(Category.BROKER, "unconfirmed", false),
    /** The venue has another order with this id, so it refused this one. */
    DUPLICATE_ID(Category.BROKER, "duplicate-id", false),
    /** The executions of an order that was over are more than the venue says is filled. */
    EXECUTIONS_DIFFER(Category.BROKER, "executions-differ", false),
    /** Another client replaced the order at the venue. */
    REPLACED_ELSEWHERE(Category.BROKER, "replaced-elsewhere", false),
    /** An execution was reported after the order was over. */
    LATE_FILL(Category.BROKER, "late-fill", false),
    /** The venue busted an execution. */
    BUST(Category.BROKER, "bust", false),
    /** The venue has what was taken for lost, and not sent again. */
    LATE_ARRIVAL(Category.BROKER, "late-arrival", false),
    /** The kill switch was on. */
    KILL_SWITCH(Category.RISK, "kill-switch", true),
    /** More than the account's limits allow. */
    RISK_LIMIT(Category.RISK, "limit", true),
    /** A limit of the account needs the symbol's price, which is not known now. */
    NO_QUOTE(Category.RISK, "no-quote", true),
    /** A person gave it another chance. */
    REQUEUED(Category.INTERNAL, "requeued", false),
    /** Its workflow was ended, such as terminated, while the order was open, and began again. */
    ADOPTED(Category.INTERNAL, "adopted", false);

    private final Category category;
    private final String code;
    private final boolean requeueable;

    FailureCode(Category category, String code, boolean requeueable) {
        this.category = category;
        this.code = code;
        this.requeueable = requeueable;
    }

    public Reason because(String text) {
        return new Reason(category, code, text);
    }

    /** Whether this is the reason; the text does not matter. */
    public boolean isOf(@Nullable Reason reason) {
        return reason != null && category == reason.category() && code.equals(reason.code());
    }

    /** Whether the venue told this of an order that was over. */
    public static boolean isCorrection(@Nullable Reason reason) {
        return LATE_FILL.isOf(reason)
                || BUST.isOf(reason)
                || LATE_ARRIVAL.isOf(reason)
                || EXECUTIONS_DIFFER.isOf(reason);
    }

    /**
     * Whether a person should look at the order, though it did not fail: a position may not be what
     * it is taken for.
     */
    public static boolean needsAttention(@Nullable Reason reason) {
        return isCorrection(reason) || DUPLICATE_ID.isOf(reason) || REPLACED_ELSEWHERE.isOf(reason) || mayPass(reason);
    }

    /** Whether a person should look at the order only as long as this is its reason. */
    static boolean mayPass(@Nullable Reason reason) {
        return UNANSWERED.isOf(reason) || UNCONFIRMED.isOf(reason) || UNRESOLVED.isOf(reason);
    }

    /**
     * Whether an order that failed for this may be sent after all, if its deadline has not passed.
     */
    public static boolean isRequeueable(@Nullable Reason reason) {
        return Stream.of(values()).anyMatch(failure -> failure.requeueable && failure.isOf(reason));
    }
}
