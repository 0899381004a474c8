package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/** How an attempt ended. A failure of the activity is the third way: nobody knows whether the order was sent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(SubmitOutcome.Answered.class), @JsonSubTypes.Type(SubmitOutcome.Declined.class)})
public sealed interface SubmitOutcome {

    /** The venue has the order, or refused it. */
    @JsonTypeName("answered")
    record Answered(VenueReport report, Instant dispatchedAt) implements SubmitOutcome {}

    /** The worker surely sent nothing. */
    @JsonTypeName("declined")
    record Declined(Cause cause) implements SubmitOutcome {}

    /** Why a worker did not send. */
    enum Cause {
        /** Its lease ran out; it may be replaced at any moment. */
        FENCED,
        DEADLINE_PASSED,
        CANCELED,
        /** Somebody already asked about this attempt and was told that it was not sent. */
        FORBIDDEN,
        /** The broker could not be reached, or said that it takes nothing now. */
        NOT_SENT,
        /** No session of the order's account is open here; whoever asks for the worker names the account. */
        NO_SESSION
    }
}
