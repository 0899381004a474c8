package dev.berth.workflows.masscancel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.PlainText;
import dev.berth.workflows.broker.AccountKey;
import org.jspecify.annotations.Nullable;

/**
 * What became of one order.
 *
 * @param clientOrderId of an order of Berth, the user's own; else the venue's, null without one
 * @param venueOrderId null while the venue is not known to have the order
 * @param reason null for one that is canceled
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MassCancelItem(
        AccountKey account,
        @Nullable String clientOrderId,
        @Nullable String venueOrderId,
        Outcome outcome,
        @Nullable String reason) {
    private static final int LONGEST = 128;

    /** How far the cancel is. */
    public enum Outcome {
        CANCELED,
        /** The venue has not confirmed it, or has not been asked yet. */
        REQUESTED,
        /** The order ended otherwise, or the venue refuses. */
        REFUSED,
        /** It protects a position and was to stay. */
        KEPT
    }

    public MassCancelItem {
        clientOrderId = clientOrderId == null ? null : PlainText.line(clientOrderId, LONGEST);
        venueOrderId = venueOrderId == null ? null : PlainText.line(venueOrderId, LONGEST);
        reason = reason == null ? null : PlainText.line(reason, LONGEST);
    }

    MassCancelItem canceled() {
        return new MassCancelItem(account, clientOrderId, venueOrderId, Outcome.CANCELED, null);
    }

    MassCancelItem because(String why) {
        return new MassCancelItem(account, clientOrderId, venueOrderId, outcome, why);
    }

    /** Equal for two reports of the same order. */
    String key() {
        return account + " " + (clientOrderId == null ? "venue " + venueOrderId : clientOrderId);
    }

    /** Whether nothing more will be heard of it. */
    @JsonIgnore
    public boolean isSettled() {
        return outcome != Outcome.REQUESTED;
    }
}
