package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a submission that reached the venue. */
enum Verdict {
    /** Received, and still at work or held back by a delay; for good, if the venue died meanwhile. */
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
    /** Never answered and never booked. */
    @JsonProperty("hung")
    HUNG,
    /** Answered with 500 and never booked. */
    @JsonProperty("serverError")
    SERVER_ERROR,
    /** Booked, and then the connection was cut instead of an answer. */
    @JsonProperty("answerDropped")
    ANSWER_DROPPED
}
