package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One submission that reached the venue.
 *
 * @param time when it was received, before any delay
 * @param account the key id it named, known or not
 * @param epoch header {@code Berth-Epoch}: which worker of the user sent it
 */
record Arrival(
        UUID id,
        Instant time,
        @Nullable String account,
        @JsonProperty("client_order_id") @Nullable String clientOrderId,
        @Nullable Long epoch,
        Verdict verdict) {

    Arrival judged(Verdict known) {
        return new Arrival(id, time, account, clientOrderId, epoch, known);
    }
}
