package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a submission that reached the venue. */
enum Verdict {
    /** Received, and still held back by a delay. */
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
