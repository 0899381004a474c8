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
 * @param epoch the number in the epoch header that the venue was told to record; null without one
 */
record VenueArrival(
        UUID id,
        Instant time,
        @Nullable String account,
        @JsonProperty("client_order_id") @Nullable String clientOrderId,
        @Nullable Long epoch,
        SubmissionVerdict verdict) {

    VenueArrival judged(SubmissionVerdict known) {
        return new VenueArrival(id, time, account, clientOrderId, epoch, known);
    }
}
