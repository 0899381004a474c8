package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended. A failure of the activity is the third way: the order may or may not have
 * been sent.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(SubmitOutcome.Answered.class), @JsonSubTypes.Type(SubmitOutcome.Declined.class)})
public sealed interface SubmitOutcome {

    /** The venue has the order, or refused it. */
    @JsonTypeName("answered")
    record Answered(ExecutionReport report, Instant dispatchedAt) implements SubmitOutcome {}

    /**
     * The worker sent nothing, which is proven. {@code reason} is why it is refused or, at times,
     * held or not sent.
     */
    @JsonTypeName("declined")
    record Declined(Cause cause, @Nullable Reason reason) implements SubmitOutcome {
        public Declined(Cause cause) {
            this(cause, null);
        }
    }

    /** Why a worker did not send, and what becomes of the order then. */
    enum Cause {
        /** Its lease ran out, or it was stopped; it may be replaced at any moment. */
        FENCED(true),
        /** The worker already answered a question about this attempt: it was not sent. */
        FORBIDDEN(true),
        /** The broker could not be reached, or takes no orders now. */
        NOT_SENT(true),
        /**
         * No session of the order's account is open here; a request for the worker names the
         * account.
         */
        NO_SESSION(true),
        /**
         * The user is suspended, or whether kill switch and limits let it pass could not be found
         * out in time.
         */
        HELD(true),
        DEADLINE_PASSED(false),
        CANCELED(false),
        /** The kill switch or a limit forbids it; the reason names which. */
        RISK(false);

        private final boolean retried;

        Cause(boolean retried) {
            this.retried = retried;
        }

        /** Whether the order is handed to a worker again while its deadline allows. */
        public boolean isRetried() {
            return retried;
        }
    }
}
