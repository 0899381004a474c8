package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How an order whose outcome is unknown is known again at its broker. */
public enum OrderIdentity {
    /** A used client order id is refused for ever, and finds its order. */
    @JsonProperty("unique")
    UNIQUE,
    /** The client order id finds its order, but may be used again, perhaps on another day. */
    @JsonProperty("findable")
    FINDABLE,
    /** The broker gives back a short tag that Berth sent with the order. */
    @JsonProperty("tag")
    TAG,
    /** The broker has only an id of its own, which its answer names. */
    @JsonProperty("none")
    NONE
}
