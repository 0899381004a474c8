package dev.berth.acceptance.verify;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A submission that reached the venue.
 *
 * @param time when the venue received it
 * @param epoch of the worker that sent it; null when no worker of Berth did
 * @param verdict what became of it, in the venue's words
 */
record Arrival(
        String account,
        String clientOrderId,
        Instant time,
        @Nullable Long epoch,
        String verdict) {
    /** The venue booked it, whether or not its answer arrived. */
    private static final Set<String> BOOKED = Set.of("accepted", "answerDropped");

    boolean isBooked() {
        return BOOKED.contains(verdict);
    }

    boolean isOurs() {
        return epoch != null;
    }

    VenueRecord.Key key() {
        return new VenueRecord.Key(account, clientOrderId);
    }

    @Override
    public String toString() {
        return "%s at %s from epoch %s: %s".formatted(clientOrderId, time, epoch, verdict);
    }
}
