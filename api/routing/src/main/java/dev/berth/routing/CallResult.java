package dev.berth.routing;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How a routed call ended. Only {@link Unknown} may have had an effect without an answer. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "result")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CallResult.Answered.class, name = "answered"),
    @JsonSubTypes.Type(value = CallResult.Disconnected.class, name = "sdk_disconnected"),
    @JsonSubTypes.Type(value = CallResult.Mismatch.class, name = "routing_mismatch"),
    @JsonSubTypes.Type(value = CallResult.NotSent.class, name = "not_sent"),
    @JsonSubTypes.Type(value = CallResult.Unknown.class, name = "unknown")
})
public sealed interface CallResult {
    /**
     * The handler's answer.
     *
     * @param payload as the handler wrote it
     */
    record Answered(String payload) implements CallResult {}

    /** {@code sdk_disconnected}: no replica holds a connection of the user. Nothing was sent. */
    record Disconnected() implements CallResult {}

    /**
     * {@code routing_mismatch}: the replica does not hold the connection that the route names.
     * Nothing was sent, and the call may be repeated.
     */
    record Mismatch() implements CallResult {}

    /** Nothing was sent, and nothing will be. */
    record NotSent(String reason) implements CallResult {}

    /** The replica took the request, and whether it had an effect is not known. */
    record Unknown(String reason) implements CallResult {}

    /** Its stable name, for clients, logs and metrics. */
    default String code() {
        return switch (this) {
            case Answered _ -> "answered";
            case Disconnected _ -> "sdk_disconnected";
            case Mismatch _ -> "routing_mismatch";
            case NotSent _ -> "not_sent";
            case Unknown _ -> "unknown";
        };
    }
}
