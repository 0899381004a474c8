package dev.berth.acceptance.verify;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A submission that reached the venue.
 *
 * @param time the time of its arrival
 * @param epoch the sending worker's epoch; null when no worker of Berth sent it
 * @param verdict the venue's result
 */
record RecordedArrival(
        String account,
        String clientOrderId,
        Instant time,
        @Nullable Long epoch,
        String verdict) {
    /** The verdicts of a booked order, with or without a received answer. */
    private static final Set<String> BOOKED = Set.of("accepted", "answerDropped");

    boolean isBooked() {
        return BOOKED.contains(verdict);
    }

    boolean isOurs() {
        return epoch != null;
    }

    VenueRecord.AccountOrderKey key() {
        return new VenueRecord.AccountOrderKey(account, clientOrderId);
    }

    @Override
    public String toString() {
        return "%s at %s from epoch %s: %s".formatted(clientOrderId, time, epoch, verdict);
    }
}
