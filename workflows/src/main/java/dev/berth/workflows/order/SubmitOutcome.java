package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. A failure of the activity is the third way: nobody knows whether the order was sent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(SubmitOutcome.Answered.class), @JsonSubTypes.Type(SubmitOutcome.Declined.class)})
public sealed interface SubmitOutcome {

    /** The venue has the order, or refused it. */
    @JsonTypeName("answered")
    record Answered(VenueReport report, Instant dispatchedAt) implements SubmitOutcome {}

    /** The worker surely sent nothing. {@code reason} says why it is refused, or, at times, held. */
    @JsonTypeName("declined")
    record Declined(Cause cause, @Nullable Reason reason) implements SubmitOutcome {
        public Declined(Cause cause) {
            this(cause, null);
        }
    }

    /** Why a worker did not send, and what becomes of the order then. */
    enum Cause {
        /** Its lease ran out; it may be replaced at any moment. */
        FENCED(true),
        /** Somebody already asked about this attempt and was told that it was not sent. */
        FORBIDDEN(true),
        /** The broker could not be reached, or said that it takes nothing now. */
        NOT_SENT(true),
        /** No session of the order's account is open here; whoever asks for the worker names the account. */
        NO_SESSION(true),
        /** Whether kill switch and limits let it pass could not be learnt in time. */
        HELD(true),
        DEADLINE_PASSED(false),
        CANCELED(false),
        /** The kill switch or a limit says no; the reason says which. */
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
