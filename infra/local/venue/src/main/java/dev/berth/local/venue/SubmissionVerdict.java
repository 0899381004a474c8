package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The outcome of a submission that reached the venue. */
enum SubmissionVerdict {
    /** In progress or delayed; permanent if the venue ended meanwhile. */
    @JsonProperty("pending")
    PENDING,
    @JsonProperty("accepted")
    ACCEPTED,
    @JsonProperty("duplicate")
    DUPLICATE,
    @JsonProperty("refused")
    REFUSED,
    @JsonProperty("invalid")
    INVALID,
    @JsonProperty("unauthorized")
    UNAUTHORIZED,
    /** More requests than the account may send in a minute. */
    @JsonProperty("rateLimited")
    RATE_LIMITED,
    /** Not booked, without a response. */
    @JsonProperty("hung")
    HUNG,
    /** Not booked, response 500. */
    @JsonProperty("serverError")
    SERVER_ERROR,
    /** Booked, but the connection was cut instead of a response. */
    @JsonProperty("answerDropped")
    ANSWER_DROPPED
}
