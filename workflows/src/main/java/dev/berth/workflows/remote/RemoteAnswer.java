package dev.berth.workflows.remote;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * How a call to a customer's machine ended. The frame {@code answer} has these fields.
 *
 * @param cause of {@link Outcome#NOT_SENT}, such as {@code deadline} or {@link #DISCONNECTED}
 * @param detail for people
 * @param working present for {@link Outcome#WORKING}
 * @param report present for {@link Outcome#REPORT}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RemoteAnswer(
        Outcome outcome,
        @Nullable String cause,
        @Nullable String detail,
        @Nullable Boolean working,
        @Nullable RemoteReport report) {
    /** No machine that serves the account is connected. */
    public static final String DISCONNECTED = "sdk_disconnected";
    /** The connection moved while the call was on its way to it. */
    public static final String MISMATCH = "routing_mismatch";

    /** Kinds of answers. */
    public enum Outcome {
        /** The order, as the broker has it. */
        @JsonProperty("report")
        REPORT,
        /** The broker does not have the order. */
        @JsonProperty("absent")
        ABSENT,
        @JsonProperty("working")
        WORKING,
        @JsonProperty("done")
        DONE,
        /** Nothing was written, which is proven. */
        @JsonProperty("notSent")
        NOT_SENT,
        /** The broker rejects its credentials. */
        @JsonProperty("refused")
        REFUSED,
        /** The call may have had an effect. */
        @JsonProperty("unknown")
        UNKNOWN
    }

    /** The machine chooses words of it, and they are shown on terminals. */
    public RemoteAnswer {
        detail = detail == null ? null : PlainText.line(detail);
        if ((outcome == Outcome.REPORT) != (report != null)) {
            throw new IllegalArgumentException("an answer has a report exactly when that is its outcome");
        }
        if ((outcome == Outcome.WORKING) != (working != null)) {
            throw new IllegalArgumentException("an answer has working exactly when that is its outcome");
        }
    }

    public static RemoteAnswer notSent(String cause, String detail) {
        return new RemoteAnswer(Outcome.NOT_SENT, cause, detail, null, null);
    }

    public static RemoteAnswer unknown(String detail) {
        return new RemoteAnswer(Outcome.UNKNOWN, null, detail, null, null);
    }
}
