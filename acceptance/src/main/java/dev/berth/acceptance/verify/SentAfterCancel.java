package dev.berth.acceptance.verify;

import java.time.Duration;
import java.time.Instant;

/** No order passes the send gate after a mass cancel that covers it is in effect. */
final class SentAfterCancel implements Promise {
    /** The time from the gate to the venue on a busy machine. */
    private static final Duration TRANSIT = Duration.ofSeconds(1);

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            Instant canceledAt = order.canceledAt();
            if (canceledAt == null) {
                continue;
            }
            draft.countChecked();
            for (RecordedArrival sent : evidence.venue().submissionsOf(order)) {
                Duration late = Duration.between(canceledAt, sent.time());
                if (late.compareTo(TRANSIT) > 0) {
                    draft.broken(
                            "%s reached the venue %s ms after a mass cancel was in effect: %s"
                                    .formatted(order.id(), late.toMillis(), sent),
                            evidence.isTolerated(sent));
                }
            }
        }
        return draft.as("sent-after-cancel", "no order is sent after a mass cancel");
    }
}
